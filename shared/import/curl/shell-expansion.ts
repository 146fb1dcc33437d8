/** What stands for a value in a script: `$NAME`, `${NAME:-text}`, `$1`, `"${NAME[@]}"`. */
export type Expansion =
  | { kind: 'variable'; name: string; default: string | null; note: string | null; length: number }
  /** All of an array, or of what a script is called with (null): several words. */
  | { kind: 'words'; array: string | null; note: string | null; length: number }
  /** Of the shell itself. */
  | { kind: 'own'; note: string; length: number };

/** Characters. */
const LONGEST = 2000;

/** Finds the `}` that ends `${`. -1: none. */
function findEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith('${', at)) {
      depth += 1;
      at += 1;
    } else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

const quote = (text: string): string => `'${text.slice(0, 60)}'`;
const describeArgument = (written: string, name: string): string =>
  `${quote(written)} is what its script or function is called with: give {{${name}}} that value.`;
const describeWords = (written: string): string =>
  `What ${quote(written)} holds is not known here, and is left out.`;

/**
 * Reads what begins with `$` and a name, a digit or a brace; null: no such thing.
 *
 * @source Bash Reference Manual, Shell Parameter Expansion
 */
export function readExpansion(text: string): Expansion | null {
  const plain = /^\$(?:([A-Za-z_]\w*)|(\d)|([@*])|([#?$!-]))/.exec(text.slice(0, 300));
  if (plain !== null) {
    const [written, name, digit, all] = plain;
    const { length } = written;
    if (name !== undefined) return { kind: 'variable', name, default: null, note: null, length };
    if (digit !== undefined) {
      const argument = `argument_${digit}`;
      const note = describeArgument(written, argument);
      return { kind: 'variable', name: argument, default: null, note, length };
    }
    if (all !== undefined) return { kind: 'words', array: null, note: describeWords(written), length };
    const note = `The shell has a value of its own for ${quote(written)}; here it stands as it is.`;
    return { kind: 'own', note, length };
  }
  if (!text.startsWith('${')) return null;
  const end = findEnd(text.slice(0, LONGEST));
  return end === -1 ? null : readBraced(text.slice(2, end), text.slice(0, end + 1));
}

function readBraced(inner: string, written: string): Expansion | null {
  const { length } = written;
  const words = /^(?:([A-Za-z_]\w*)\[[@*]\]|[@*])(.*)$/s.exec(inner);
  if (words !== null) {
    const [, array = null, rest = ''] = words;
    const isWhole = array !== null && rest === '';
    return { kind: 'words', array: isWhole ? array : null, note: describeWords(written), length };
  }
  const named = /^(?:[A-Za-z_]\w*|\d+)/.exec(inner)?.[0];
  if (named === undefined) return null;
  const isArgument = /^\d/.test(named);
  const name = isArgument ? `argument_${named}` : named;
  const operator = inner.slice(named.length);
  const fallback = /^:?[-=](.*)$/s.exec(operator)?.[1] ?? null;
  const isAsIs = operator === '' || /^:?\?/.test(operator);
  const argument = isArgument && fallback === null ? describeArgument(written, name) : null;
  const changed = `What the shell makes of ${quote(written)} is not made here: {{${name}}} stands in its place as it is.`;
  const note = fallback === null && !isAsIs ? changed : argument;
  return { kind: 'variable', name, default: fallback, note, length };
}
