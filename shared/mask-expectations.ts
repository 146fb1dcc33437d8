import { isSecretName } from './secrets';

/** How an expectation begins: `header NAME` or `body PATH`, where one may stand, and its operator. */
const EXPECTATION =
  /(?:^|[\r\n[]|@expect[ \t]{1,9}|[ \t](?=(?:header|body)[ \t])(?<=\bwebhook[ \t]{1,9}within[ \t][^\r\n]{1,300}))[ \t]{0,9}(?:header|body)[ \t]{1,9}([^\s=<>!]{1,200})[ \t]{1,9}(?:not[ \t]{1,9})?(?:(contains|matches|in)[ \t]{1,9}|[=!]=[ \t]{0,9}|[<>]=?[ \t]{0,9})/g;
/** The end of its value: the bracket that closes a part of a webhook's, or the end of the line. */
const VALUE_END = /$|[\r\n]|\][ \t]{0,9}(?:$|[\r\n[]|(?:count|status|body)[ \t])/g;
/** One of the values behind `in`. */
const ITEM = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,[\]"'](?:[^,\]]*[^\s,\]])?/g;

/** Masks what a header or a field of a secret's name is expected to be, all of it: without quotes, too, it may have blanks. */
export function maskExpectations(text: string, maskValue: (value: string, name: string) => string): string {
  if (!/(?:header|body)[ \t]/.test(text)) return text;
  const pieces: string[] = [];
  let kept = 0;
  EXPECTATION.lastIndex = 0;
  for (let found = EXPECTATION.exec(text); found !== null; found = EXPECTATION.exec(text)) {
    const name = readLastKey(found[1]!);
    if (!isSecretName(name)) continue;
    const from = EXPECTATION.lastIndex;
    VALUE_END.lastIndex = from;
    const to = VALUE_END.exec(text)?.index ?? text.length;
    const mask = (one: string): string => {
      const quote = /^(["']).+\1$/s.exec(one)?.[1] ?? '';
      const value = one.slice(quote.length, one.length - quote.length);
      return value === '' ? one : quote + maskValue(value, name) + quote;
    };
    const value = text.slice(from, to);
    pieces.push(text.slice(kept, from), found[2] === 'in' ? value.replace(ITEM, mask) : mask(value));
    kept = EXPECTATION.lastIndex = to;
  }
  return pieces.join('') + text.slice(kept);
}

/** The last key of a path that is no place in a list. */
function readLastKey(path: string): string {
  return path.split(/[./[\]]/).findLast((key) => !/^(?:\d*|\*)$/.test(key)) ?? '';
}
