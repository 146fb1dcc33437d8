import type { SendInput, WrittenDown } from '@shared/contract/sending';
import { maskHeader } from '@shared/mask-secrets';

/** Reads the body that a request was given: of bytes, as UTF-8. */
export function readText({ body, bodyBase64 }: Pick<SendInput, 'body' | 'bodyBase64'>): string | null {
  return bodyBase64 === undefined ? body : Buffer.from(bodyBase64, 'base64').toString('utf8');
}

/**
 * Writes down what a request was made of, so that it can be sent again: the same bytes, with a new signature and token.
 *
 * Placeholders stay as they were given. What had to be masked is not there any more; then it says so.
 * @param keptBody - the body as the history keeps it
 * @param mask - takes out what must not appear in anything kept
 */
export function writeDown(
  given: Pick<SendInput, 'url' | 'headers' | 'body' | 'bodyBase64'>,
  keptBody: string | null,
  mask: (text: string) => string,
): WrittenDown {
  const url = mask(given.url);
  const headers = given.headers.map(([name, value]): [string, string] => [
    name,
    mask(maskHeader(name, value)),
  ]);
  const bytes = given.bodyBase64 === undefined ? null : Buffer.from(given.bodyBase64, 'base64');
  const text = readText(given);
  const body = text === null ? null : mask(text);
  const isMasked =
    url !== given.url ||
    body !== text ||
    headers.some(([, value], index) => value !== given.headers[index]?.[1]);
  return {
    url,
    headers,
    ...(body !== null && body !== keptBody && { body }),
    lost: isMasked
      ? 'A credential was typed into it, which the history does not keep.'
      : bytes !== null && !Buffer.from(text ?? '', 'utf8').equals(bytes)
        ? 'Its body holds bytes of a file, which the history does not keep.'
        : null,
  };
}
