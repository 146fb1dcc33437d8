import { cutCharacters, isLonger } from './is-longer';

const mostNamed = 12;
const longestName = 100;

/**
 * Names in a sentence: the first of them, each cut to what can be read, and how many more there are. A file of somebody else may
 * have thousands, and whoever reads the sentence looks for its end.
 *
 * @param names - at least one, as they are to stand there
 * @returns `a, b, c`, or `a, b and 3 more`
 */
export function listSome(names: readonly string[], most = mostNamed): string {
  const shown = names
    .slice(0, most)
    .map((name) => (isLonger(name, longestName) ? `${cutCharacters(name, longestName)}…` : name));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}
