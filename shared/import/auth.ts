import { hidePair, type CredentialBook } from './credentials';
import { hasHeader, type ImportedRequest } from './imported';
import { encodeForUrl } from '../encode-for-url';
import { isSecretName } from '../secrets';
import { encodeAroundVariables, encodeFilledIn } from './variables';

/**
 * How a request proves who is asking, as every format is read into. Values may be variables.
 *
 * `isFetched`: the other tool asked a server for it, by settings that have no place here.
 */
export type ImportedAuth =
  | { kind: 'none' }
  | { kind: 'basic'; user: string; password: string }
  | { kind: 'bearer'; token: string; prefix?: string; isFetched?: true }
  | {
      kind: 'key';
      name: string;
      value: string;
      place: 'header' | 'query' | 'cookie';
      isFetched?: true;
      /** In a query, it leaves as Postman sends it, which takes a percent sign for one of a text that is encoded already. */
      isFilledRaw?: true;
    }
  /** Signs each request, or asks somebody else: `title` names it. */
  | { kind: 'other'; title: string };

function describeFetched(token: string): string {
  const [variable] = /\{\{[^{}]+\}\}/.exec(token) ?? ['its token'];
  return `How its token is fetched (OAuth 2) is not taken over: give ${variable} in the environment, or \`# @capture\` it from the request that fetches it.`;
}

/** Puts what an authentication adds into a request: a header or a part of the address. */
export function applyAuth(request: ImportedRequest, auth: ImportedAuth, book: CredentialBook): void {
  switch (auth.kind) {
    case 'none':
      return;
    case 'other':
      request.notes.push(
        `Its ${auth.title} authentication is not taken over: put the header in that the service asks for.`,
      );
      return;
    case 'basic':
      setAuthorization(request, `Basic ${hidePair(auth.user, auth.password, book)}`);
      return;
    case 'bearer': {
      const token = auth.token === '' ? '{{access_token}}' : book.hide('bearer_token', auth.token);
      const isSet = setAuthorization(request, `${auth.prefix ?? 'Bearer'} ${token}`.trim());
      if (isSet && auth.isFetched) request.notes.push(describeFetched(token));
      return;
    }
    case 'key':
      addKey(request, auth, book);
  }
}

/**
 * Has the variables of an authentication's secret fields taken for secrets, whether it is in use, taken over, or left out:
 * a password is one, too, while its authentication is switched off.
 */
export function hideVariables(
  fields: Iterable<readonly [name: string, value: string]>,
  book: CredentialBook,
): void {
  for (const [name, value] of fields) {
    // What a key in a header or a query is called in every tool.
    if (!isSecretName(name) && name !== 'value') continue;
    for (const [variable] of value.matchAll(/\{\{[^{}\r\n]{1,240}\}\}/g)) book.hide(name, variable);
  }
}

/** Takes away what an authentication goes before: a header or a parameter that somebody wrote. @param tool - with which it does */
export function dropReplaced(request: ImportedRequest, auth: ImportedAuth, tool: string): void {
  if (auth.kind === 'none' || auth.kind === 'other') return;
  if (auth.kind === 'key' && auth.place === 'query') return dropParameter(request, auth.name, tool);
  const replaced = auth.kind === 'key' ? auth.name : 'Authorization';
  const kept = request.headers.filter(([name]) => name.toLowerCase() !== replaced.toLowerCase());
  if (kept.length === request.headers.length) return;
  request.headers = kept;
  request.notes.push(
    `Its header ${replaced.slice(0, 100)} is left out: ${tool} puts its authentication in the place.`,
  );
}

function dropParameter(request: ImportedRequest, name: string, tool: string): void {
  const [, address = '', query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(request.url) ?? [];
  if (query === undefined) return;
  const pairs = query.split('&');
  const kept = pairs.filter((pair) => ![name, encodeForUrl(name)].includes(pair.split('=', 1)[0]!));
  if (kept.length === pairs.length) return;
  request.url = `${address}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`;
  request.notes.push(
    `Its parameter ${name.slice(0, 100)} is left out: ${tool} puts its authentication in the place.`,
  );
}

/** Encodes what would end a pair of a query, and what no address has. @source postman-url-encoder, QUERY_ENCODE_SET */
const encodeEnds = (text: string): string => text.replace(/[\s"'<>#&\p{Cc}]|[^\0-~]/gu, encodeForUrl);

function addKey(
  request: ImportedRequest,
  { name, value, place, isFetched, isFilledRaw }: ImportedAuth & { kind: 'key' },
  book: CredentialBook,
): void {
  if (name === '') return;
  const isRaw = place === 'query' && isFilledRaw === true;
  const written = isRaw ? encodeAroundVariables(value, encodeEnds) : value;
  const hidden = value === '' ? `{{${name.replace(/[^\w.-]+/g, '_')}}}` : book.hide(name, written);
  if (place === 'query') {
    const part = isRaw ? hidden : encodeFilledIn(hidden);
    const key = isRaw
      ? encodeAroundVariables(name, encodeEnds).replaceAll('=', '%3D')
      : encodeAroundVariables(name);
    request.url = addQuery(request.url, `${key}=${part}`);
  } else if (place === 'cookie') addCookie(request, `${name}=${hidden}`);
  else request.headers.push([name, hidden]);
  if (isFetched) request.notes.push(describeFetched(hidden));
  const [variable] = isRaw ? (/\{\{[^{}]+\}\}/.exec(hidden) ?? []) : [];
  if (variable !== undefined && hidden === written)
    request.notes.push(
      `Postman encodes a blank, ", ', #, &, < and > of what ${variable} holds; here it leaves as it is: write %26 for & and %23 for # in its value.`,
    );
}

/** All cookies go in one header. @source RFC 6265, section 5.4 */
export function addCookie(request: ImportedRequest, pair: string): void {
  const known = request.headers.find(([name]) => name.toLowerCase() === 'cookie');
  if (known === undefined) request.headers.push(['Cookie', pair]);
  else known[1] = `${known[1]}; ${pair}`;
}

/** @returns whether the request has no other one already */
function setAuthorization(request: ImportedRequest, value: string): boolean {
  if (hasHeader(request, 'authorization')) {
    request.notes.push(
      'It has a header Authorization of its own, which stays; its authentication is left out.',
    );
    return false;
  }
  request.headers.push(['Authorization', value]);
  return true;
}

/** Adds a pair to the query of an address, before its fragment. */
export function addQuery(url: string, pair: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const joint = !address.includes('?') ? '?' : /^[^?]*\?$|&$/.test(address) ? '' : '&';
  return `${address}${joint}${pair}${fragment}`;
}
