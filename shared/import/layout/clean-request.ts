import { cutCharacters } from '../../is-longer';
import { oneLine } from '../../http-file/example-file';
import type { ImportedRequest, ImportNote } from '../imported';
import { encodeForUrl } from '../../encode-for-url';
import { decodeFromUrl } from '../../encode-for-url';

const headerName = /^[!$%'*+^_`|~\w-][!#$%&'*+.^_`|~\w-]*$/;
/** Counted or decided by whoever sends. */
const transportHeaders = new Set(['content-length', 'transfer-encoding', 'connection', 'expect']);
/** The method word of another protocol, which our files cannot send. */
const methodName = /^[A-Za-z]{1,20}$/;
const addressStart = /^(?:[a-z][a-z\d+.-]*:\/\/|\{\{)/i;
/** These have no host; `localhost:4010` has one. */
const otherScheme = /^(data|blob|about|file|javascript|mailto|urn|view-source|chrome-extension):/i;
/** A scheme, and who is asking: what stands before `@`. */
export const userInfo = /^(https?:\/\/)([^/?#\s]*)@(?=[^/?#\s]+)/i;

/** Says why something is no request of ours; null: it is one. */
export function findObstacle({ method, url }: ImportedRequest): string | null {
  if (url.trim() === '') return 'It has no URL.';
  if (/^connect$/i.test(method.trim()))
    return 'It opens a tunnel through a proxy; what went through it is imported.';
  if (!methodName.test(method)) return `Its method '${method.slice(0, 40)}' is none of HTTP.`;
  const scheme = (
    otherScheme.exec(url.trim())?.[1] ?? /^([a-z][a-z\d+.-]*):\/\//i.exec(url.trim())?.[1]
  )?.toLowerCase();
  if (scheme === 'ws' || scheme === 'wss') return 'It is a WebSocket, and Countersign sends HTTP.';
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return `Its address begins with ${scheme}:, and Countersign sends HTTP.`;
  }
  return null;
}

/** Gives a request with an address and headers that a line each can say; what had to change is a note. */
export function cleanRequest(request: ImportedRequest): ImportedRequest {
  const notes = [...request.notes];
  const name = request.name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const method = request.method.toUpperCase();
  const address = cleanAddress(request.url);
  const headers = cleanHeaders(request.headers, notes);
  const offHeaders = request.offHeaders.flatMap(({ at, name: one, value }) =>
    cleanHeaders([[one, value]], notes).map(([wanted, text]) => ({ at, name: wanted, value: text })),
  );
  const [url, authorization] = takeUserInfo(address);
  const isOwn = headers.some(([one]) => one.toLowerCase() === 'authorization');
  if (authorization !== null && isOwn)
    notes.push('The user name in its address is left out: it has a header Authorization.');
  else if (authorization !== null) headers.push(['Authorization', authorization]);
  const variables = request.variables.map(([one, value]): [string, string] => [one, flatten(value)]);
  return { ...request, name, method, url, headers, offHeaders, notes, variables };
}

function flatten(text: string): string {
  return oneLine(text).trim();
}

/** White space in an address would end it; that between braces is part of a name. */
function cleanAddress(text: string): string {
  const url = text
    .trim()
    .replace(/[\r\n\t]/g, '')
    .replace(/\{\{[^{}]*\}\}|\s/g, (found) => (found.startsWith('{{') ? found : encodeForUrl(found)));
  return addressStart.test(url) ? url : `http://${url.replace(/^\/\//, '')}`;
}

const NOT_UNPACKED = ' is left out: an answer that comes compressed is not unpacked here.';

/** Says once what a browser or a client sends with each request, and nobody put there. */
export function gatherUnpacked(notes: readonly ImportNote[]): ImportNote[] {
  const alike = notes.filter(({ what }) => what.endsWith(NOT_UNPACKED));
  const [first] = alike;
  if (first === undefined || alike.length === 1) return [...notes];
  const what = `${first.what} So it is in ${alike.length - 1} more.`;
  return notes.flatMap((one) => {
    if (one === first) return [{ ...one, what }];
    return one.what.endsWith(NOT_UNPACKED) ? [] : [one];
  });
}

function cleanHeaders(headers: ImportedRequest['headers'], notes: string[]): ImportedRequest['headers'] {
  return headers.flatMap(([name, value]): ImportedRequest['headers'] => {
    const wanted = name.trim();
    if (transportHeaders.has(wanted.toLowerCase())) {
      notes.push(`Its header ${wanted} is left out: whoever sends decides on it.`);
      return [];
    }
    if (/^accept-encoding$/i.test(wanted) && !/^\s*identity\s*$/i.test(value)) {
      notes.push(`Its header ${wanted}${NOT_UNPACKED}`);
      return [];
    }
    if (!headerName.test(wanted)) {
      notes.push(`Its header '${flatten(wanted).slice(0, 60)}' is left out: no header may be called so.`);
      return [];
    }
    if (/[\r\n]/.test(value.trim())) notes.push(`The lines of its header ${wanted} are joined.`);
    return [[wanted, flatten(value)]];
  });
}

/** `https://name:password@host` is what a header says as well. */
function takeUserInfo(url: string): [url: string, authorization: string | null] {
  const found = userInfo.exec(url);
  if (found === null) return [url, null];
  const [whole, scheme = '', info = ''] = found;
  const at = info.indexOf(':');
  const user = at === -1 ? info : info.slice(0, at);
  const password = at === -1 ? '' : info.slice(at + 1);
  return [scheme + url.slice(whole.length), `Basic ${decodeFromUrl(user)}:${decodeFromUrl(password)}`];
}

/** Gives a name to a request that has none: what it does, and where, as people read it. */
export function nameByAddress(method: string, url: string): string {
  const path = url.replace(/^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*|\{\{[^{}]*\}\})/i, '').replace(/[?#].*/s, '');
  const read = decodeFromUrl(path).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return cutCharacters(`${method.toUpperCase()} ${read === '' ? '/' : read}`, 120);
}
