import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { contentSecurityPolicy } from '@shared/content-security-policy';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

/** One file of the built user interface, ready to answer with. */
export interface StaticFile {
  body: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
}

/**
 * Reads one file of the built user interface.
 *
 * Files outside `root` (by `..`, by an encoded slash, by a link) are as unknown as files that are not there.
 * @param pathname - path of the URL, still percent-encoded
 * @returns null where there is no such file
 */
export async function readStaticFile(root: string, pathname: string): Promise<StaticFile | null> {
  let relative: string;
  try {
    relative = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (relative.includes('\0')) return null;
  if (relative === '/' || relative === '') relative = '/index.html';
  try {
    const realRoot = await realpath(root);
    const file = await realpath(join(realRoot, relative));
    if (!file.startsWith(realRoot + sep)) return null;
    const type = contentTypes[extname(file)];
    if (type === undefined) return null;
    const isHashed = relative.startsWith('/assets/');
    return {
      body: await readFile(file),
      headers: {
        'content-type': type,
        'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-store',
        ...securityHeaders,
      },
    };
  } catch {
    return null;
  }
}

/** Headers on every answer that a page could come from. */
export const securityHeaders: Record<string, string> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
