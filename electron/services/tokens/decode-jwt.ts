import { parseRecord } from '@shared/json/parse-or-nothing';

/** What a token says of itself. Nothing here is verified: it is shown, and tells when to fetch anew. */
export interface DecodedToken {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/** Decodes a JWT's header and claims; a token of another form gives empty ones. @source RFC 7519 §7.2 */
export function decodeJwt(token: string): DecodedToken {
  const [header, claims, ...rest] = token.split('.');
  if (rest.length !== 1) return { header: {}, claims: {} };
  return { header: decodePart(header), claims: decodePart(claims) };
}

/** Reads a claim that holds seconds since the epoch. @returns epoch milliseconds, null where it holds none */
export function readTimeClaim(claims: Record<string, unknown>, name: string): number | null {
  const value = claims[name];
  return typeof value === 'number' ? asMoment(value * 1000) : null;
}

/** Beyond it no date can be written. @source ECMA-262, 21.4.1.1 */
const FURTHEST_MOMENT = 8.64e15;

/** Takes what no calendar reaches, or is no number, for no moment at all: whoever wrote it said nothing of an end. */
export function asMoment(milliseconds: number): number | null {
  return Math.abs(milliseconds) <= FURTHEST_MOMENT ? milliseconds : null;
}

function decodePart(part: string | undefined): Record<string, unknown> {
  // Not a JWT after all: the service may use tokens of any form.
  return parseRecord(Buffer.from(part ?? '', 'base64url').toString('utf8')) ?? {};
}
