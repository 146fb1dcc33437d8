import { maskHeader, maskSecrets } from '../mask-secrets';
import type { ResolvedRequest } from './resolve-request';

/** Stands where a secret stood. */
const PLACEHOLDER = '{{secret}}';

/**
 * Writes a request as a curl command for a POSIX shell, its body byte for byte but for secrets.
 *
 * `{{token.…}}` and `{{signature}}` stay as they are, to be filled in by whoever runs it; what was typed in and is
 * secret by its name gives way to a placeholder too, because commands are pasted into chats and tickets.
 * @param request - resolved, as it would be sent
 */
export function writeCurl(request: Pick<ResolvedRequest, 'method' | 'url' | 'headers' | 'body'>): string {
  const { method, url, headers, body } = request;
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const lines = [
    `curl ${[...writeMethod(method.toUpperCase(), body !== null), ...writeAddress(maskSecrets(url, () => PLACEHOLDER))].join(' ')}`,
    ...headers.map(([name, value]) => `-H ${quote(writeHeader(name, value))}`),
    // Left to itself, curl would call any body a form.
    ...(body !== null && !hasType ? [`-H 'Content-Type:'`] : []),
    ...(body === null ? [] : [`--data-raw ${quote(maskSecrets(body, () => PLACEHOLDER))}`]),
  ];
  return lines.join(' \\\n  ');
}

function writeMethod(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD' && !hasBody) return ['--head'];
  return method === (hasBody ? 'POST' : 'GET') ? [] : ['-X', method];
}

/** Brackets and braces would be taken for a series of addresses. */
function writeAddress(url: string): string[] {
  return [...(/[[\]{}]/.test(url) ? ['--globoff'] : []), quote(url)];
}

function writeHeader(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${maskHeader(name, value, () => PLACEHOLDER)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
