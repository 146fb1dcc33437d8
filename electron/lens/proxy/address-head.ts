/** How a target is addressed where it would not know itself by the proxy's own address. */
export interface Addressing {
  /** Path of the target's address, put in front of every path; '': none. */
  readonly prefix: string;
  /** What `Host` says to the target; null: what the client said. */
  readonly host: string | null;
}

/** Method and target in any form but `*`: an absolute one loses its host, which is not the target's. */
const REQUEST_TARGET = /^(\S+ )(?:[A-Za-z]+:\/\/[^/? ]*)?(?=[/? ])/;

/** Writes the head of a request to the target: byte for byte, but for its path and host where those are others there. */
export function addressHead(head: Buffer, { prefix, host }: Addressing): Buffer {
  if (prefix === '' && host === null) return head;
  let text = head.toString('latin1');
  text = text.replace(REQUEST_TARGET, (whole, method: string, at: number) => {
    const next = text[at + whole.length];
    return method + prefix + (next === '/' ? '' : '/');
  });
  if (host !== null) text = text.replace(/(\r\nhost:[ \t]*)[^\r]*/i, (_whole, name: string) => name + host);
  return Buffer.from(text, 'latin1');
}

/** Two servers could each take another for the one that counts. @source RFC 9112 §3.2 */
export function hasTwoHosts(headers: readonly string[]): boolean {
  const isHost = (name: string, at: number): boolean =>
    at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host';
  return headers.findIndex(isHost) !== headers.findLastIndex(isHost);
}
