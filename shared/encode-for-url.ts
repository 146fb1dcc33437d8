/** Encodes a text for an address as browsers do: half of a surrogate pair, for which there are no bytes, becomes U+FFFD. */
export function encodeForUrl(text: string): string {
  // eslint-disable-next-line no-restricted-syntax -- the one place
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Writes a path as it travels: what is no visible ASCII is encoded, what is encoded already stays. */
export function encodePath(path: string): string {
  return path.replace(/[^!-~]+/g, encodeForUrl);
}

/** Decodes a part of an address; what is encoded in no way stands as it is. */
export function decodeFromUrl(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Decodes what is encoded of a part of a query or a form, where `+` is a blank: beside it a `%` may stand for itself. */
export function decodeFromForm(part: string): string {
  return part.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, decodeFromUrl);
}
