/** Headers that the service looks at. */
export interface ServiceHeaders {
  readonly host: string | undefined;
  readonly authorization: string | undefined;
  readonly 'content-type': string | undefined;
  readonly 'content-encoding': string | undefined;
  readonly 'x-custom-signature': string | undefined;
  /** What the client spoke to a proxy in front. */
  readonly 'x-forwarded-proto': string | undefined;
  /** The sandbox's own. */
  readonly 'x-sandbox-outcome': string | undefined;
  readonly 'x-sandbox-webhook': string | undefined;
}

/** By the ways in which most clients write them. */
const known = new Map(
  [
    'Host',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'X-Custom-Signature',
    'X-Forwarded-Proto',
    'X-Sandbox-Outcome',
    'X-Sandbox-Webhook',
  ].flatMap((name) => [
    [name, name.toLowerCase() as keyof ServiceHeaders],
    [name.toLowerCase(), name.toLowerCase() as keyof ServiceHeaders],
  ]),
);

/**
 * Finds the headers that the service looks at.
 *
 * What stands twice is joined by a comma: of two tokens or signatures none is taken.
 * @param fields - name, value, name, value …
 * @source RFC 9110 §5.3
 */
export function readServiceHeaders(fields: readonly string[]): ServiceHeaders {
  // All names from the start: an object that grows one by one is slower to write and to read.
  const headers: { -readonly [Name in keyof ServiceHeaders]: ServiceHeaders[Name] } = {
    host: undefined,
    authorization: undefined,
    'content-type': undefined,
    'content-encoding': undefined,
    'x-custom-signature': undefined,
    'x-forwarded-proto': undefined,
    'x-sandbox-outcome': undefined,
    'x-sandbox-webhook': undefined,
  };
  for (let index = 0; index < fields.length; index += 2) {
    const written = fields[index]!;
    const name = known.get(written) ?? known.get(written.toLowerCase());
    if (name === undefined) continue;
    const value = fields[index + 1]!;
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/**
 * Says where whoever asks has reached the sandbox.
 *
 * A proxy that speaks TLS in front of it says so by `X-Forwarded-Proto`. Whoever else sends that changes an address in an
 * answer of its own, and nothing more.
 * @param scheme - what the sandbox itself speaks
 */
export function readOrigin(headers: ServiceHeaders, scheme: 'http' | 'https'): string {
  const isForwarded = /^https\b/i.test(headers['x-forwarded-proto'] ?? '');
  return `${isForwarded ? 'https' : scheme}://${headers.host ?? '127.0.0.1'}`;
}

/**
 * Says that a request has no signature, and where one stands under another name.
 *
 * @param fields - name, value, name, value …
 */
export function describeNoSignature(fields: readonly string[]): string {
  const names = fields.filter((_, index) => index % 2 === 0);
  const isOurs = (name: string): boolean => name.toLowerCase() === 'x-custom-signature';
  const missing = `The X-Custom-Signature header is ${names.some(isOurs) ? 'empty' : 'missing'}.`;
  const other = names.find((name) => /signature$/i.test(name) && !isOurs(name));
  return other === undefined
    ? missing
    : `${missing} ${other.slice(0, 60)} is there, which the service does not read: give it that name.`;
}
