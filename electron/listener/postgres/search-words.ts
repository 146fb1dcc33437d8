import { toPostgresText } from './postgres-text';

/** Longer words are found by their beginning. */
const MAX_WORD = 100;
const MAX_WORDS = 400;
/** So many beginnings within one word: `a-b-c` is found by `b-c`, too. */
const MAX_PLACES = 12;
const PLACE = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

/** Parts the words of one webhook in what is sent to the database. */
export const WORD_SEPARATOR = '\x1F';

/**
 * Gives what a webhook is found by: each word of its search text from every place where letters or digits begin.
 *
 * A search then asks for lexemes that begin with its words: PostgreSQL's own index does that, without an extension.
 */
export function listSearchWords(searchText: string): string[] {
  const words = new Set<string>();
  for (const token of splitSearchWords(searchText)) {
    words.add(token.slice(0, MAX_WORD));
    let places = 0;
    for (const { index } of token.matchAll(PLACE)) {
      if (places++ === MAX_PLACES || words.size >= MAX_WORDS) break;
      words.add(token.slice(index, index + MAX_WORD));
    }
    if (words.size >= MAX_WORDS) break;
  }
  return [...words].map(toPostgresText);
}

/** Words of a search, each of which must begin one of a webhook's; as `tsquery` reads them. None: it asks for nothing. */
export function toSearchWords(search: string): string[] {
  return splitSearchWords(search.toLowerCase())
    .map((word) => toPostgresText(word.slice(0, MAX_WORD)).replace(/['\\]/g, '$&$&'))
    .map((word) => `'${word}':*`);
}

function splitSearchWords(text: string): string[] {
  // eslint-disable-next-line no-control-regex -- none of them is part of a word
  return text.split(/[\s\x00-\x1F]+/).filter(Boolean);
}
