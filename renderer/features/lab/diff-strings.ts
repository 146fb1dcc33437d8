export interface DiffPart {
  text: string;
  isDifferent: boolean;
}

export interface StringDiff {
  expected: DiffPart[];
  actual: DiffPart[];
  isEqual: boolean;
}

/** Above so many cells the middle is marked as a whole: the table of the comparison would not fit the memory. */
const largestTable = 4_000_000;

/**
 * Compares two strings character by character (code points) and marks what only one of them has.
 *
 * Equal ends are cut off first; the middle is compared by its longest common subsequence.
 */
export function diffStrings(expected: string, actual: string): StringDiff {
  if (expected === actual) {
    const whole = [{ text: expected, isDifferent: false }];
    return { expected: whole, actual: whole, isEqual: true };
  }
  const a = [...expected];
  const b = [...actual];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail += 1;
  }
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const [keptA, keptB] = markCommon(middleA, middleB);
  return {
    expected: joinParts(a, head, tail, keptA),
    actual: joinParts(b, head, tail, keptB),
    isEqual: false,
  };
}

/** For both sides, which characters belong to the longest common subsequence. */
function markCommon(a: string[], b: string[]): [boolean[], boolean[]] {
  const keptA = a.map(() => false);
  const keptB = b.map(() => false);
  const width = b.length + 1;
  if (a.length === 0 || b.length === 0 || (a.length + 1) * width > largestTable) return [keptA, keptB];
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      keptA[i] = true;
      keptB[j] = true;
      i += 1;
      j += 1;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return [keptA, keptB];
}

function joinParts(characters: string[], head: number, tail: number, kept: boolean[]): DiffPart[] {
  const parts: DiffPart[] = [];
  characters.forEach((text, index) => {
    const isMiddle = index >= head && index < characters.length - tail;
    const isDifferent = isMiddle && !kept[index - head];
    const last = parts.at(-1);
    if (last && last.isDifferent === isDifferent) last.text += text;
    else parts.push({ text, isDifferent });
  });
  return parts;
}
