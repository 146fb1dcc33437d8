interface OpenList {
  /** Where the key of the list stands. */
  readonly key: number;
  /** Where its entries begin; null: none has come. */
  entries: number | null;
}

/** A key with what stands behind it, behind the dashes of entries. */
const keyLine = /^([A-Za-z_]\w*)[ \t]*:(?=[ \t\r]|$)[ \t]*(.?)/;

/**
 * Counts the entries of lists under certain keys in YAML by the indentation of its lines, those of lists within them, too: YAML is
 * slow to read, and what holds too many is refused before. Texts of several lines are passed over.
 *
 * What is written otherwise (in brackets, on one line) is not counted here, and has to be once it is read.
 */
export function countBlockItems(text: string, keys: ReadonlySet<string>): number {
  const open: OpenList[] = [];
  let count = 0;
  /** Of the key whose text goes on over lines; -1: of none. */
  let inText = -1;
  const line = /^( *)([^ \r\n].*)$/gm;
  for (let found = line.exec(text); found !== null; found = line.exec(text)) {
    let at = found[1]!.length;
    let rest = found[2]!;
    if (inText !== -1 && at > inText) continue;
    inText = -1;
    if (rest.startsWith('#')) continue;
    close(open, at, rest.startsWith('- '));
    while (rest.startsWith('- ')) {
      const list = open.at(-1);
      if (list !== undefined && (list.entries ?? at) === at) {
        list.entries = at;
        count += 1;
      }
      const inner = rest.slice(2).trimStart();
      at += rest.length - inner.length;
      rest = inner;
    }
    const [, key = '', sign = ''] = keyLine.exec(rest) ?? [];
    if (sign === '|' || sign === '>' || /^[|>]/.test(rest)) inText = key === '' ? found[1]!.length : at;
    else if (keys.has(key) && /^[#\r]?$/.test(sign)) open.push({ key: at, entries: null });
  }
  return count;
}

/** Ends the lists that a line does not belong to: it stands before them, or beside their key without being an entry. */
function close(open: OpenList[], at: number, isEntry: boolean): void {
  for (let list = open.at(-1); list !== undefined; list = open.at(-1)) {
    if (at > list.key && at >= (list.entries ?? 0)) return;
    if (at === list.key && isEntry && (list.entries ?? at) === at) return;
    open.pop();
  }
}
