/**
 * Masks a text and then shortens it: the one way to shorten what may hold a secret.
 *
 * In the other order the beginning of a secret would stand at the cut, where nothing recognises it any more.
 * @param mask - takes out what must not be shown, from the whole text
 * @param most - characters that are shown
 */
export function cutMasked(text: string, mask: (text: string) => string, most: number): string {
  const masked = mask(text);
  return masked.length <= most ? masked : `${masked.slice(0, most)}… (${masked.length} characters)`;
}
