/** Headers that the service looks at. */
export interface ServiceHeaders {
  readonly host: string | undefined;
  readonly authorization: string | undefined;
  readonly 'content-type': string | undefined;
  readonly 'content-encoding': string | undefined;
  readonly 'x-custom-signature': string | undefined;
  /** The sandbox's own. */
  readonly 'x-sandbox-outcome': string | undefined;
}

/** By the ways in which most clients write them. */
const known = new Map(
  [
    'Host',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'X-Custom-Signature',
    'X-Sandbox-Outcome',
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
    'x-sandbox-outcome': undefined,
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
