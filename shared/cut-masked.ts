import { countOf } from './count-of';

/**
 * Masks a text and then shortens it: the one way to shorten what may hold a secret.
 *
 * In the other order the beginning of a secret would stand at the cut, where nothing recognises it any more.
 * @param mask - takes out what must not be shown, from the whole text
 * @param most - characters that are shown
 * @param whole - how long what the text comes from is, where the text itself is only its beginning
 */
export function cutMasked(
  text: string,
  mask: (text: string) => string,
  most: number,
  whole: string | null = null,
): string {
  const masked = mask(text);
  if (masked.length <= most && whole === null) return masked;
  // Half of a character at the cut is none.
  return `${masked.slice(0, most).replace(/\p{Surrogate}$/u, '')}… (${whole ?? countOf(masked.length, 'character')})`;
}
