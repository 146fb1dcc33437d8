import { memberOf, readJsonTree, type JsonNode } from '../../json/json-tree';
import { encodeBase64 } from '../../signing/base64';
import { SIGNED_FIELDS } from '../../signing/signed-fields';
import type { Cause, CauseCode } from '../causes';
import { cutText, showText } from '../report/show-text';
import { STAGES, type Deviation, type Tier } from '../search/draft';
import { listJoined, listPrinted } from './print-languages';
import { JSON_STYLES, SORTED_ABOVE, sortTopLevel, writeJson, type JsonStyle } from './json-styles';
import type { HideKnown } from './known-deviations';

const utf8 = new TextEncoder();

/** Bodies beyond this are tried in the likely forms alone: each form costs a pass over all of it. */
const FULL_SEARCH_LENGTH = 64 * 1024;
/** Strings beyond this are not combined with other deviations: they would take minutes. */
const COMBINED_LENGTH = 8192;

/** Makes one deviation that stands in place of the four values. */
export function wholeDeviation(text: string, tier: Tier, causes: Cause[]): Deviation {
  return {
    stage: STAGES.whole,
    slot: 'whole',
    tier: text.length > COMBINED_LENGTH ? 'alone' : tier,
    apply: (draft) => void (draft.whole = text),
    explain: () => causes,
  };
}

/** What languages write for a value that their code did not find. */
const NOTHINGS = ['undefined', 'null', 'None', 'nil', '<nil>', 'NaN'];

const UNFILLED_NAMES: readonly (readonly string[])[] = [
  ['reference', 'amount', 'country', 'service_code'],
  ['reference', 'amount', 'country', 'serviceCode'],
  SIGNED_FIELDS.map(({ path }) => path),
];

/** Templates whose text was signed as it stands, since its quotes or its call fill nothing in. */
const UNFILLED: readonly string[] = [
  ...UNFILLED_NAMES.flatMap((names) =>
    ['{{_}}', '${_}', '{_}', '{$_}', '$_', '#{_}', '%(_)s', ':_', '_'].map((form) =>
      names.map((name) => form.replace('_', () => name)).join(''),
    ),
  ),
  '%s%s%s%s',
  '%s%d%s%s',
  '%s%v%s%s',
  '%v%v%v%v',
  '{}{}{}{}',
  '{0}{1}{2}{3}',
  '[object Object]',
  '[object Promise]',
  'Array',
];

/** Lists what is signed where the code finds none of the four values: the body was read before, or parsed as something else. */
export function listNothingDeviations(): Deviation[] {
  const make = (text: string, phrase: string, tier: Tier = 'usual'): Deviation =>
    wholeDeviation(text, tier, [
      {
        code: 'string.field_missing',
        phrase,
        remedy: 'look what the code has of the body, and read the four values from it before signing',
        expected: 'the four values',
        actual: text,
      },
    ]);
  return [
    make('', 'over nothing, an empty string'),
    make('0', 'with the amount as 0 and the other three values empty'),
    ...UNFILLED.map((text) => make(text, `over ${showText(text)}, in which no value was filled in`, 'alone')),
    ...NOTHINGS.map((word) => make(word.repeat(4), `with “${word}” in place of each of the four values`)),
  ];
}

/** Lists ways to sign the whole body instead of four values. */
export function listBodyDeviations(body: string): Deviation[] {
  const found: Deviation[] = [];
  const seen = new Set<string>();
  const add = (text: string, what: string, tier: Tier): void => {
    if (seen.has(text)) return;
    seen.add(text);
    found.push(wholeDeviation(text, tier, [wholeCause(what)]));
  };
  add(body, 'the whole body as sent', 'common');
  add(body.trim(), 'the whole body, trimmed', 'usual');
  const tree = readJsonTree(body);
  if (tree === null) return found;
  const addStyle = (style: JsonStyle): void =>
    add(writeJson(tree, style), `the whole body, ${style.name}`, style.isCommon ? 'common' : 'rare');
  addStyle(JSON_STYLES[0]!);
  if (body.length > FULL_SEARCH_LENGTH) return found;
  add(body.replace(/\r\n?/g, '\n'), 'the whole body with line ends as LF', 'usual');
  add(body.replace(/\r?\n/g, '\r\n'), 'the whole body with line ends as CRLF', 'usual');
  add(body.replace(/\s+/g, ''), 'the whole body with all white space taken out', 'usual');
  JSON_STYLES.forEach(addStyle);
  const sorted = sortTopLevel(tree);
  for (const style of SORTED_ABOVE) add(writeJson(sorted, style), `the whole body, ${style.name}`, 'rare');
  for (const [text, how] of listPrinted(tree)) add(text, `the whole body, ${how}`, 'usual');
  for (const text of [body, writeJson(tree, JSON_STYLES[0]!)])
    add(encodeBase64(utf8.encode(text)), 'the whole body as Base64', 'usual');
  return found;
}

/**
 * Lists ways to sign one object of the body, or the body without what is not signed.
 *
 * @param isCommon - in the styles that are met often, or in all the others
 */
export function listPartDeviations(body: string, isCommon: boolean): Deviation[] {
  const tree = body.length > FULL_SEARCH_LENGTH ? null : readJsonTree(body);
  if (tree === null) return [];
  const styles = JSON_STYLES.filter((style) => style.isCommon === isCommon);
  const parts = listParts(tree).flatMap(([what, node]) =>
    styles.map((style) =>
      wholeDeviation(writeJson(node, style), isCommon ? 'rare' : 'alone', [
        wholeCause(`${what}, ${style.name}`),
      ]),
    ),
  );
  return isCommon ? parts : [...listShortened(tree), ...parts, ...listPrintedParts(tree)];
}

/** Objects as languages print them, and the two that hold what is signed, in every style. */
function listPrintedParts(tree: JsonNode): Deviation[] {
  const both: JsonNode = {
    kind: 'object',
    members: new Map(
      tree.kind === 'object' ? [...tree.members].filter(([name]) => SIGNED_PARENTS.has(name)) : [],
    ),
  };
  const make = (text: string, what: string): Deviation => wholeDeviation(text, 'alone', [wholeCause(what)]);
  return [
    ...listParts(tree).flatMap(([what, node]) =>
      listPrinted(node).map(([text, how]) => make(text, `${what}, ${how}`)),
    ),
    ...[['the whole body', tree] as const, ...listParts(tree)].flatMap(([what, node]) =>
      listJoined(node).map(([text, how]) => make(text, `${what}, ${how}`)),
    ),
    ...JSON_STYLES.map((style) =>
      make(writeJson(both, style), `the objects transaction and originator alone, ${style.name}`),
    ),
  ];
}

/** Members of a body that are left out in turn; a body of a payment has a third of them. */
const MOST_LEFT_OUT = 60;

/** The body without one of its members, as code signs it that puts this in later: in the likely styles, and by itself. */
function listShortened(tree: JsonNode): Deviation[] {
  const styles = JSON_STYLES.filter(({ isCommon }) => isCommon);
  return listPaths(tree)
    .slice(0, MOST_LEFT_OUT)
    .flatMap((path) => {
      const node = leaveOut(tree, path);
      const name = cutText(path.join('.'));
      return styles.map((style) =>
        wholeDeviation(writeJson(node, style), 'alone', [
          wholeCause(`the whole body without ${name}, ${style.name}`),
        ]),
      );
    });
}

/** Those of the body, then those of the objects in it. */
function listPaths(tree: JsonNode): string[][] {
  if (tree.kind !== 'object') return [];
  const names = [...tree.members.keys()];
  const inner = [...tree.members].flatMap(([name, member]) =>
    member.kind === 'object' ? [...member.members.keys()].map((one) => [name, one]) : [],
  );
  return [...names.map((name) => [name]), ...inner];
}

function leaveOut(node: JsonNode, [name = '', ...below]: readonly string[]): JsonNode {
  if (node.kind !== 'object') return node;
  const members = new Map(node.members);
  const member = members.get(name);
  if (below.length === 0 || member === undefined) members.delete(name);
  else members.set(name, leaveOut(member, below));
  return { kind: 'object', members };
}

/** Says that something else was signed in place of the four values. */
export function wholeCause(what: string): Cause {
  return {
    code: 'string.whole_body',
    phrase: `over ${what}`,
    remedy: 'sign the four values alone, joined with nothing between them',
    expected: 'the four values',
    actual: what,
  };
}

const SIGNED_PARENTS: ReadonlySet<string> = new Set(SIGNED_FIELDS.map(({ path }) => path.split('.')[0]!));

/** Each object of the body, and the body with nothing in it but the signed values. */
function listParts(tree: JsonNode): (readonly [what: string, node: JsonNode])[] {
  const parts = ['transaction', 'originator', 'recipient'].flatMap(
    (name): (readonly [string, JsonNode])[] => {
      const member = memberOf(tree, name);
      return member === null ? [] : [[`the object ${name} alone`, member]];
    },
  );
  return [...parts, ['the body with the four signed values alone', keepSigned(tree)]];
}

function keepSigned(tree: JsonNode): JsonNode {
  const root = new Map<string, JsonNode>();
  for (const { path } of SIGNED_FIELDS) {
    const [parent = '', name = ''] = path.split('.');
    const value = memberOf(tree, parent, name);
    if (value === null) continue;
    const node = root.get(parent);
    if (node?.kind === 'object') node.members.set(name, value);
    else root.set(parent, { kind: 'object', members: new Map([[name, value]]) });
  }
  return { kind: 'object', members: root };
}

/** Makes the string that the other side claims a candidate; what differs in it becomes its causes. */
export function listClaimedDeviations(
  claimed: string,
  values: readonly string[],
  hide?: HideKnown,
): Deviation[] {
  if (claimed === values.join('')) return [];
  return [wholeDeviation(claimed, 'common', compareClaimed(claimed, values, hide))];
}

/**
 * Names what is missing from, or left over in, a string that no known deviation explains.
 *
 * Secrets are hidden first: of one that is cut, or has a value in it, a part would be left.
 */
export function compareClaimed(
  actual: string,
  values: readonly string[],
  hide: HideKnown = (text) => text,
): Cause[] {
  let rest = hide(actual);
  const causes: Cause[] = [];
  values.forEach((value, index) => {
    const at = rest.indexOf(value);
    if (at === -1) causes.push(leftover('string.field_missing', index, value));
    else rest = rest.slice(0, at) + rest.slice(at + value.length);
  });
  if (rest !== '') {
    causes.push({
      code: 'string.field_extra',
      phrase: `with “${cutText(rest)}” in it, which is none of the four values`,
      remedy: 'sign the four values alone',
      expected: null,
      actual: rest,
    });
  }
  return causes;
}

function leftover(code: CauseCode, index: number, value: string): Cause {
  const { path } = SIGNED_FIELDS[index]!;
  return {
    code,
    phrase: `without ${path} as it is sent (${cutText(value)})`,
    remedy: `sign ${path} exactly as it stands in the body`,
    expected: value,
    actual: null,
  };
}
