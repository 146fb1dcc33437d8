/** The steps of a path, and where the text goes on; else what is expected, and where. */
export type ReadPath =
  | { readonly path: readonly string[]; readonly end: number }
  | { readonly expected: string; readonly at: number };

/**
 * Reads the path behind `body.`: names with dots, some of them quoted, places of a list as `.0` or `[0]`, or a JSON pointer.
 *
 * @source RFC 6901
 */
export function readFieldPath(text: string, from: number): ReadPath {
  return text[from] === '/' ? readPointer(text, from) : readNames(text, from);
}

/** Takes a JSON pointer apart; null where it is none. @source RFC 6901 */
export function splitPointer(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function readPointer(text: string, from: number): ReadPath {
  const pointer = /^[^\s()=!<>]*/.exec(text.slice(from))?.[0] ?? '';
  const path = splitPointer(pointer);
  if (path !== null) return { path, end: from + pointer.length };
  return { expected: "0 or 1 behind the '~' of a JSON pointer", at: from + pointer.search(/~(?![01])/) };
}

function readNames(text: string, from: number): ReadPath {
  const path: string[] = [];
  let at = from;
  for (;;) {
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text.slice(at));
    const plain = /^[^\s.()=!<>"'[\]]+/.exec(text.slice(at));
    const found = quoted ?? plain;
    if (found === null) return { expected: 'a name', at };
    path.push(quoted === null ? found[0] : (quoted[1] ?? '').replace(/\\(["\\])/g, '$1'));
    at += found[0].length;
    const places = /^(?:\[(?:0|[1-9]\d*)\])*/.exec(text.slice(at))![0];
    path.push(...(places.match(/\d+/g) ?? []));
    at += places.length;
    if (text[at] === '[' || text[at] === ']')
      return { expected: 'a place such as [0], or the whole name in double quotes,', at };
    if (text[at] !== '.') return { path, end: at };
    at++;
  }
}
