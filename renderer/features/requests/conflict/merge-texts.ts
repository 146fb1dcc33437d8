import { diffArrays } from 'diff';

/** A stretch of two texts: the same in both, changed by one side alone, or by both and differently. */
export interface Hunk {
  kind: 'same' | 'mine' | 'theirs' | 'conflict';
  mine: string;
  theirs: string;
}

export type HunkChoice = 'mine' | 'theirs' | 'both';

/** Texts that differ in more lines are taken as different as a whole: comparing them would take too long. */
const mostEdits = 800;
const longestMs = 500;

/** Lines of the base from `start` to `end` that a side has replaced. */
interface Edit {
  start: number;
  end: number;
  lines: readonly string[];
}

/**
 * Lays two texts beside each other, by lines, with what each changed since they were one.
 *
 * @param base - what both came from; null: not known, and each difference is for somebody to decide
 * @returns stretches in order; those of a side joined give its text, byte for byte
 */
export function mergeTexts(base: string | null, mine: string, theirs: string): Hunk[] {
  const [mineLines, theirLines] = [splitLines(mine), splitLines(theirs)];
  const baseLines = base === null ? mineLines : splitLines(base);
  const mineEdits = base === null ? [] : listEdits(baseLines, mineLines);
  const hunks = joinEdits(baseLines, mineEdits, listEdits(baseLines, theirLines));
  return base === null
    ? hunks.map((one) => (one.kind === 'same' ? one : { ...one, kind: 'conflict' }))
    : hunks;
}

/** The text that choices lead to; a stretch without one is as the side that changed it has it. */
export function joinHunks(hunks: readonly Hunk[], choices: ReadonlyMap<number, HunkChoice>): string {
  return hunks
    .map(({ kind, mine, theirs }, index) => {
      const choice = choices.get(index) ?? usualChoice(kind);
      if (kind === 'same' || choice === 'mine') return mine;
      return choice === 'theirs' ? theirs : withLineEnd(mine) + theirs;
    })
    .join('');
}

/**
 * Names each stretch by what its sides have in it, and by how many such stand before it: after another change elsewhere it has
 * its name still.
 */
export function nameHunks(hunks: readonly Hunk[]): string[] {
  const counts = new Map<string, number>();
  return hunks.map(({ mine, theirs }) => {
    const text = JSON.stringify([mine, theirs]);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    return `${count}${text}`;
  });
}

/** What counts where nobody has chosen. */
export function usualChoice(kind: Hunk['kind']): HunkChoice {
  return kind === 'theirs' ? 'theirs' : 'mine';
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Lines with their ends. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function listEdits(base: readonly string[], next: readonly string[]): Edit[] {
  const parts = diffArrays([...base], [...next], {
    maxEditLength: mostEdits,
    timeout: longestMs,
  });
  if (parts === undefined) return [{ start: 0, end: base.length, lines: next }];
  const edits: Edit[] = [];
  let at = 0;
  for (const { value, added, removed } of parts) {
    const last = edits.at(-1);
    const isGoingOn = last !== undefined && last.end === at;
    if (added || removed) {
      const end = removed ? at + value.length : at;
      const lines = added ? value : [];
      if (isGoingOn) edits[edits.length - 1] = { start: last.start, end, lines: [...last.lines, ...lines] };
      else edits.push({ start: at, end, lines });
    }
    if (!added) at += value.length;
  }
  return edits;
}

function joinEdits(base: readonly string[], mine: readonly Edit[], theirs: readonly Edit[]): Hunk[] {
  const hunks: Hunk[] = [];
  const push = (kind: Hunk['kind'], mineText: string, theirText: string): void => {
    if (mineText !== '' || theirText !== '') hunks.push({ kind, mine: mineText, theirs: theirText });
  };
  const pushSame = (from: number, to: number): void => {
    const text = base.slice(from, to).join('');
    push('same', text, text);
  };
  let at = 0;
  let [mineAt, theirsAt] = [0, 0];
  while (mineAt < mine.length || theirsAt < theirs.length) {
    const start = Math.min(mine[mineAt]?.start ?? Infinity, theirs[theirsAt]?.start ?? Infinity);
    pushSame(at, start);
    const group = takeGroup(mine.slice(mineAt), theirs.slice(theirsAt), start);
    mineAt += group.mine.length;
    theirsAt += group.theirs.length;
    const mineText = applyEdits(base, group.mine, start, group.end);
    const theirText = applyEdits(base, group.theirs, start, group.end);
    const kind = group.theirs.length === 0 ? 'mine' : group.mine.length === 0 ? 'theirs' : 'conflict';
    push(mineText === theirText ? 'same' : kind, mineText, theirText);
    at = group.end;
  }
  pushSame(at, base.length);
  return hunks;
}

/** The edits of both sides that begin at a line, and those that touch them. */
function takeGroup(
  mine: readonly Edit[],
  theirs: readonly Edit[],
  start: number,
): { mine: readonly Edit[]; theirs: readonly Edit[]; end: number } {
  let end = start;
  let [mineCount, theirCount] = [0, 0];
  for (let isGrowing = true; isGrowing;) {
    const before = mineCount + theirCount;
    for (let one = mine[mineCount]; one !== undefined && one.start <= end; one = mine[++mineCount]) {
      end = Math.max(end, one.end);
    }
    for (let one = theirs[theirCount]; one !== undefined && one.start <= end; one = theirs[++theirCount]) {
      end = Math.max(end, one.end);
    }
    isGrowing = mineCount + theirCount > before;
  }
  return { mine: mine.slice(0, mineCount), theirs: theirs.slice(0, theirCount), end };
}

function applyEdits(base: readonly string[], edits: readonly Edit[], start: number, end: number): string {
  let at = start;
  let text = '';
  for (const edit of edits) {
    text += base.slice(at, edit.start).join('') + edit.lines.join('');
    at = edit.end;
  }
  return text + base.slice(at, end).join('');
}
