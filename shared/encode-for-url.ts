/** Encodes a text for an address as browsers do: half of a surrogate pair, for which there are no bytes, becomes U+FFFD. */
export function encodeForUrl(text: string): string {
  // eslint-disable-next-line no-restricted-syntax -- the one place
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
