import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lets a page of the docs load from the place that it is from, and from nowhere else. Its scripts stand in it and beside it. */
export const sitePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

/** What makes a browser load: every attribute but the address of a link that somebody may follow. */
const loading = [
  /<(?:script|img|iframe|source|video|audio|embed|track|input)\b[^>]*?\s(?:src|srcset|poster)\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]+)/gi,
  /<(?:link|use|image)\b[^>]*?\s(?:href|xlink:href)\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]+)/gi,
  /<object\b[^>]*?\sdata\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]+)/gi,
  /(?:url\(|@import)\s*["']?\s*((?:https?:)?\/\/[^"')\s]+)/gi,
];

/** Lists the foreign addresses that a page or a style sheet would load from. */
export function findForeignLoads(text) {
  return loading.flatMap((pattern) => [...text.matchAll(pattern)].map(([, address]) => address));
}

/** Looks at a built site. @returns sentences on what is wrong; none: it loads from its own place alone */
export function checkSite(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((path) => /\.(?:html|css)$/.test(path));
  return files.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const foreign = findForeignLoads(text).map((address) => `${path} would load from ${address}`);
    const lacksPolicy =
      path.endsWith('.html') &&
      !text.includes(sitePolicy.replaceAll("'", '&#39;')) &&
      !text.includes(sitePolicy);
    return lacksPolicy ? [...foreign, `${path} lacks the policy that keeps it to its own files`] : foreign;
  });
}
