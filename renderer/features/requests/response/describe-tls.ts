import type { ExchangeTrace } from '@shared/contract/sending';

type Agreed = Pick<ExchangeTrace, 'address' | 'tls'>;

/** Tells whether TLS ends at the proxy: what is agreed on for an address in the clear is so with the proxy. */
export function isOfProxy({ tls }: Agreed, url: string): boolean {
  return tls !== null && /^http:/i.test(url);
}

/**
 * Says how a connection was encrypted, and how far.
 *
 * @param url - where the request was to go
 */
export function describeTls(trace: Agreed, url: string): string {
  const { address, tls } = trace;
  if (tls !== null) {
    const agreed = `${tls.protocol}, ${tls.cipher}`;
    return isOfProxy(trace, url) ? `${agreed}: to the proxy alone, in the clear from there` : agreed;
  }
  if (/^https:/i.test(url)) return 'Not agreed on';
  return address === null ? 'None' : 'None: in the clear';
}
