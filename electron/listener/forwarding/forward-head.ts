import { readHead } from '../../platform/http1/read-head';

/** What leaves of a stored head. Texts are Latin-1, one character a byte. */
export interface ForwardedHead {
  readonly method: string;
  /** Path and query; `/` where the target was none. */
  readonly target: string;
  /** Name, value, name, value …: in order, names as sent. */
  readonly headers: readonly string[];
}

/** What belongs to the connection that a message came on, not to the message. @source RFC 9110 §7.6.1 */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads from a stored head what is forwarded: every header byte for byte, those of the connection apart.
 *
 * @param head - bytes as received, without the empty line
 */
export function readForwardedHead(head: Buffer): ForwardedHead {
  const read = readHead(head.toString('latin1'));
  // It was read by the same rules when it came; what an importer put there may be anything.
  if (read.kind === 'refused') return { method: 'POST', target: '/', headers: [] };
  return { method: read.method, target: toPath(read.target), headers: keepOfMessage(read.headers) };
}

/** Leaves out of a list of headers what belongs to its connection. */
export function keepOfMessage(headers: readonly string[]): string[] {
  const kept: string[] = [];
  const named = namedByConnection(headers);
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    if (!ofConnection.has(name) && !named.has(name)) kept.push(headers[at]!, headers[at + 1]!);
  }
  return kept;
}

function namedByConnection(headers: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]!.toLowerCase() !== 'connection') continue;
    for (const name of headers[at + 1]!.split(',')) named.add(name.trim().toLowerCase());
  }
  return named;
}

/** Takes the part of a path away that only the sender and we know. */
export function withoutSecret(path: string, secrets: readonly string[]): string {
  const secret = secrets.find(
    (one) => path.startsWith(`/${one}`) && /^(?:[/?]|$)/.test(path.slice(one.length + 1)),
  );
  if (secret === undefined) return path;
  const rest = path.slice(secret.length + 1);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function toPath(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = /^[A-Za-z]+:\/\/[^/?]*(.*)/s.exec(target)?.[1] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}
