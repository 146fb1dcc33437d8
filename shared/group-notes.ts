import { listSome } from './list-some';

/** What became something else on the way from one tool to another, or was left out, and of what. */
interface Note {
  where: string;
  what: string;
}

const mostNamed = 5;

/**
 * Notes with the same words as one, in the order of the first of each: a document of a thousand operations says of each of them how
 * its token is not fetched, and whoever reads looks for what is said once.
 */
export function groupNotes(notes: readonly Note[]): Note[] {
  const places = new Map<string, string[]>();
  for (const { where, what } of notes) {
    const known = places.get(what);
    if (known === undefined) places.set(what, [where]);
    else known.push(where);
  }
  return [...places].map(([what, [first = '', ...others]]) => ({
    where: others.length === 0 ? first : listSome([first, ...others], mostNamed),
    what,
  }));
}
