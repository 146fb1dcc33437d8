import { SIGNED_FIELDS } from '../../signing/signed-fields';
import type { Cause, CauseCode } from '../causes';
import { STAGES, type Deviation, type SubjectValue, type Tier } from '../search/draft';
import { encodeForUrl } from '../../encode-for-url';

const BARE_NAMES = ['reference', 'amount', 'country', 'service_code'];
const PATHS = SIGNED_FIELDS.map(({ path }) => path);

type Layout = (values: readonly string[], picks: readonly number[]) => string;

interface LayoutRow {
  readonly tier: Tier;
  readonly code: CauseCode;
  readonly phrase: string;
  readonly remedy: string;
  readonly layout: Layout;
}

/** Lists forms that write names or quotes around the values. */
export function listLayoutDeviations(values: readonly SubjectValue[]): Deviation[] {
  return [...quotedRows(values), ...namedRows(values)].map(({ code, phrase, remedy, layout, tier }) => ({
    stage: STAGES.join,
    slot: 'join',
    tier,
    apply: (draft) => void (draft.layout = layout),
    explain: (): Cause[] => [{ code, phrase, remedy, expected: 'the bare values', actual: null }],
  }));
}

function quotedRows(values: readonly SubjectValue[]): LayoutRow[] {
  const remedy = 'sign the values without quotes or brackets';
  const row = (phrase: string, layout: Layout, tier: Tier = 'usual'): LayoutRow => ({
    code: 'string.quoted',
    tier,
    phrase,
    remedy,
    layout,
  });
  const isText = (pick: number): boolean => values[pick]?.isString ?? true;
  const written = new Map<string, string>();
  const asJson = (texts: readonly string[], pick: number): string => {
    const text = texts[pick]!;
    if (!isText(pick)) return text;
    const known = written.get(text);
    if (known !== undefined) return known;
    const fresh = JSON.stringify(text);
    written.set(text, fresh);
    return fresh;
  };
  const list = (join: string, quote: (texts: readonly string[], pick: number) => string): Layout => {
    return (texts, picks) => {
      let text = '';
      for (let index = 0; index < picks.length; index += 1) {
        text += (index === 0 ? '' : join) + quote(texts, picks[index]!);
      }
      return text;
    };
  };
  const quoted = (texts: readonly string[], pick: number): string => `"${texts[pick] ?? ''}"`;
  const single = (texts: readonly string[], pick: number): string => `'${texts[pick] ?? ''}'`;
  const bare = (texts: readonly string[], pick: number): string => texts[pick] ?? '';
  const asRepr = (texts: readonly string[], pick: number): string =>
    isText(pick) ? single(texts, pick) : bare(texts, pick);
  const asBytes = (texts: readonly string[], pick: number): string =>
    isText(pick) ? writePythonBytes(texts[pick] ?? '') : bare(texts, pick);
  const around = (open: string, inner: Layout, close: string): Layout => {
    return (texts, picks) => open + inner(texts, picks) + close;
  };
  const member =
    (colon: string) =>
    (texts: readonly string[], pick: number): string =>
      `"${nameOf(values, pick, false)}"${colon}${asJson(texts, pick)}`;
  return [
    row('with the text values in quotes', list('', asJson), 'common'),
    row('with every value in quotes', list('', quoted), 'common'),
    row('with every value in single quotes', list('', single)),
    row('with the text values in single quotes', list('', asRepr), 'alone'),
    row('with the whole string in quotes', around('"', list('', bare), '"'), 'common'),
    row('with the whole string in single quotes', around("'", list('', bare), "'")),
    row("as Python writes bytes (b'…')", around("b'", list('', bare), "'"), 'common'),
    row('as a JSON list', around('[', list(',', asJson), ']'), 'common'),
    row('as a JSON list', around('[', list(', ', asJson), ']')),
    row('as a list with every value in quotes', around('[', list(',', quoted), ']')),
    row('as a list with every value in quotes', around('[', list(', ', quoted), ']')),
    row('as a Python list', around('[', list(', ', asRepr), ']')),
    row('as Node prints a list', around('[ ', list(', ', asRepr), ' ]'), 'alone'),
    row('as a list with brackets and bars', around('[', list('|', bare), ']'), 'alone'),
    row("with the text values as Python writes bytes (b'…')", list('', asBytes), 'alone'),
    row('as a Python tuple', around('(', list(', ', asRepr), ')')),
    row('as a list', around('[', list(', ', bare), ']')),
    row('as a list', around('[', list(',', bare), ']')),
    row('as a list', around('[', list(' ', bare), ']')),
    row('as quoted values with commas', list(',', quoted)),
    row('as a JSON object of the four values', around('{', list(',', member(':')), '}'), 'common'),
    row('as a JSON object of the four values', around('{', list(', ', member(': ')), '}')),
  ];
}

const utf8 = new TextEncoder();

/** `b'…'` with what is no ASCII escaped. */
function writePythonBytes(text: string): string {
  const inner = Array.from(utf8.encode(text), (byte) => {
    const sign = String.fromCharCode(byte);
    if (byte < 0x20 || byte > 0x7e) return `\\x${byte.toString(16).padStart(2, '0')}`;
    return sign === '\\' || sign === "'" ? `\\${sign}` : sign;
  }).join('');
  return `b'${inner}'`;
}

function namedRows(values: readonly SubjectValue[]): LayoutRow[] {
  const pairs = [
    ['=', '&'],
    ['=', ''],
    ['=', ','],
    ['=', ';'],
    ['=', '|'],
    ['=', '\n'],
    [':', ''],
    [':', ','],
    [':', ';'],
    [':', '|'],
    [': ', ', '],
    [': ', '\n'],
    [':', '\n'],
    ['', ''],
  ] as const;
  const rows = pairs.flatMap(([equals, join]) =>
    [false, true].map((isPath): LayoutRow => {
      const names = values.map((_, pick) => nameOf(values, pick, isPath) + equals);
      return {
        code: 'string.field_extra',
        tier: isPath ? 'alone' : join === '&' ? 'common' : 'usual',
        phrase: `with the names of the fields in it (${names[0] ?? ''}…)`,
        remedy: 'sign the bare values, without names',
        layout: (texts: readonly string[], picks: readonly number[]) => {
          let text = '';
          for (let index = 0; index < picks.length; index += 1) {
            const pick = picks[index]!;
            text += (index === 0 ? '' : join) + names[pick]! + texts[pick]!;
          }
          return text;
        },
      };
    }),
  );
  const [query] = rows;
  const encoded = (texts: readonly string[], picks: readonly number[]): string =>
    query!.layout(texts.map(encodeAsForm), picks);
  return [...rows, { ...query!, tier: 'usual', phrase: 'as a form, percent-encoded', layout: encoded }];
}

/** As `urlencode` of Python and `http_build_query` of PHP write a value. */
function encodeAsForm(text: string): string {
  return encodeForUrl(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function nameOf(values: readonly SubjectValue[], pick: number, isPath: boolean): string {
  if (pick < 4) return (isPath ? PATHS : BARE_NAMES)[pick]!;
  const path = values[pick]?.path ?? '';
  return isPath ? path : path.slice(path.lastIndexOf('.') + 1);
}
