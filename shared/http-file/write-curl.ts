import { encodeForUrl } from '../encode-for-url';
import { findHeader } from '../find-header';
import { maskHeader, maskSecrets } from '../mask-secrets';
import { toPlainText } from '../plain-text';
import { encodeBase64 } from '../signing/base64';
import type { ResolvedRequest } from './resolve-request';

/** Stands where a secret stood. */
const PLACEHOLDER = '{{secret}}';

/**
 * Writes a request as a curl command for a POSIX shell, its body byte for byte but for secrets.
 *
 * `{{token.…}}` and `{{signature}}` stay as they are, to be filled in by whoever runs it; what was typed in and is
 * secret by its name gives way to a placeholder too, because commands are pasted into chats and tickets.
 * @param request - resolved, as it would be sent
 * @param options - `hasSecrets`: nothing gives way, because the user asked for a command that runs; `data`: where the shell has
 *   the body from, instead of its text; `quote` and `separator`: for another shell, or for one line; `isReceived`: its path
 *   came in as it stands, and goes out so
 */
export function writeCurl(
  request: Pick<ResolvedRequest, 'method' | 'url' | 'headers' | 'body'>,
  {
    hasSecrets = false,
    data,
    quote = quoteText,
    separator = ' \\\n  ',
    isReceived = false,
  }: {
    hasSecrets?: boolean;
    data?: string;
    quote?: typeof quoteText;
    separator?: string;
    isReceived?: boolean;
  } = {},
): string {
  const { method, url, headers, body } = request;
  const mask = (text: string): string => (hasSecrets ? text : maskSecrets(text, () => PLACEHOLDER));
  const hasType = findHeader(headers, 'content-type') !== null;
  const lines = [
    `curl ${[...writeMethod(method.toUpperCase(), body !== null), ...writeAddress(mask(url), quote, isReceived)].join(' ')}`,
    ...headers.map(([name, value]) => `-H ${quote(writeHeader(name, value, hasSecrets))}`),
    // Left to itself, curl would call any body a form.
    ...(body !== null && !hasType ? [`-H 'Content-Type:'`] : []),
    // Raw: after a plain one, a body that begins with @ would name a file to send.
    ...(body === null
      ? []
      : [data === undefined ? `--data-raw ${quote(mask(body))}` : `--data-binary ${data}`]),
  ];
  return lines.join(separator);
}

/** The longest argument that systems take is 128 KiB. */
export const MOST_ARGUMENT = 100_000;

/**
 * Writes a curl command that can be pasted and run: a body that no argument of a shell holds comes through a pipe.
 *
 * A terminal drops controls or acts on them, and takes a CR for Enter.
 * @param request - `bytes`: the body in Base64 where it may be other than its text
 */
export function writePastedCurl(
  { bytes, ...request }: Parameters<typeof writeCurl>[0] & { bytes?: string | undefined },
  options: { hasSecrets?: boolean; isReceived?: boolean } = {},
): string {
  const { body } = request;
  if (body === null) return writeCurl(request, options);
  const shown = options.hasSecrets ? body : maskSecrets(body, () => PLACEHOLDER);
  // What stands in braces is for whoever pastes it to fill in.
  if (!options.isReceived && shown.includes('{{')) return writeCurl(request, options);
  const isText = !body.includes('\ufffd');
  const encoded = isText || bytes === undefined ? encodeBase64(new TextEncoder().encode(shown)) : bytes;
  if (isText && toPlainText(shown) === shown && encoded.length < MOST_ARGUMENT)
    return writeCurl(request, options);
  return `printf %s ${quoteText(encoded)} | base64 -d | ${writeCurl(request, { ...options, data: '@-' })}`;
}

function writeMethod(method: string, hasBody: boolean): string[] {
  // Where it has a body, curl takes no --head, and waits for the one that the answer names and does not have.
  if (method === 'HEAD') return hasBody ? ['--max-time', '30', '-X', method] : ['--head'];
  return method === (hasBody ? 'POST' : 'GET') ? [] : ['-X', method];
}

/**
 * Writes as they are sent here what curl refuses (blanks) or sends as it stands, which servers refuse (other letters, quotes, and
 * braces in a path).
 *
 * What stands between braces is a name, and of a host's letters curl makes its own.
 */
function encodeForCurl(url: string, isReceived: boolean): string {
  const [host = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#\s]*/i.exec(url) ?? [];
  const rest = url.slice(host.length);
  const end = isReceived
    ? 0
    : rest.replace(/\{\{[^{}]*\}\}/g, (found) => '_'.repeat(found.length)).search(/[?#]|$/);
  const encode = (text: string, signs: RegExp): string =>
    text.replace(signs, (found) => (found.startsWith('{{') ? found : encodeForUrl(found)));
  return (
    host +
    encode(rest.slice(0, end), /\{\{[^{}]*\}\}|(?:["<>`}]|\{(?!\{)|[^!-~])+/g).replaceAll('\\', '/') +
    encode(rest.slice(end), /\{\{[^{}]*\}\}|(?:["<>]|[^!-~])+/g)
  );
}

/** Brackets and braces would be taken for a series of addresses. */
function writeAddress(url: string, quote: typeof quoteText, isReceived: boolean): string[] {
  return [...(/[[\]{}]/.test(url) ? ['--globoff'] : []), quote(encodeForCurl(url, isReceived))];
}

function writeHeader(name: string, value: string, hasSecrets: boolean): string {
  if (value === '') return `${name};`;
  return `${name}: ${hasSecrets ? value : maskHeader(name, value, () => PLACEHOLDER)}`;
}

/** Quotes text for a POSIX shell. */
function quoteText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
