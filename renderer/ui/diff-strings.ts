import { diffChars } from 'diff';

export interface DiffPart {
  text: string;
  isDifferent: boolean;
}

export interface StringDiff {
  expected: DiffPart[];
  actual: DiffPart[];
  isEqual: boolean;
}

/** Strings that differ in more characters have nothing to do with each other: their middle is marked as a whole. */
const mostEdits = 400;

/** Compares two strings character by character (code points) and marks what only one of them has. */
export function diffStrings(expected: string, actual: string): StringDiff {
  const changes = diffChars(expected, actual, { maxEditLength: mostEdits }) ?? compareEnds(expected, actual);
  const sideOf = (isOther: 'added' | 'removed'): DiffPart[] =>
    changes
      .filter((change) => !change[isOther])
      .map(({ value, added, removed }) => ({ text: value, isDifferent: added || removed }));
  return { expected: sideOf('added'), actual: sideOf('removed'), isEqual: expected === actual };
}

type Change = NonNullable<ReturnType<typeof diffChars>>[number];

/** What long strings have in common at their two ends, and all that lies between as a difference. */
function compareEnds(expected: string, actual: string): Change[] {
  const [a, b] = [[...expected], [...actual]];
  const shortest = Math.min(a.length, b.length);
  let head = 0;
  while (head < shortest && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const change = (characters: string[], added: boolean, removed: boolean): Change => {
    return { value: characters.join(''), count: characters.length, added, removed };
  };
  return [
    change(a.slice(0, head), false, false),
    change(a.slice(head, a.length - tail), false, true),
    change(b.slice(head, b.length - tail), true, false),
    change(a.slice(a.length - tail), false, false),
  ].filter(({ value }) => value !== '');
}
