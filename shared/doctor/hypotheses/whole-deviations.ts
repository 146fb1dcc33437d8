import { memberOf, readJsonTree } from '../../json/json-tree';
import type { Cause, CauseCode } from '../causes';
import { STAGES, type Deviation } from '../search/draft';
import { JSON_STYLES, writeJson } from './json-styles';
import { cutText } from '../report/show-text';

/** Bodies beyond this are tried in the likely forms alone: each form costs a pass over all of it. */
const FULL_SEARCH_LENGTH = 256 * 1024;

/** Lists ways to sign the body, or one object of it, instead of four values. */
export function listBodyDeviations(body: string): Deviation[] {
  const found: Deviation[] = [];
  const seen = new Set<string>();
  const add = (text: string, what: string, isSingleOnly = false): void => {
    if (seen.has(text)) return;
    seen.add(text);
    const cause: Cause = {
      code: 'string.whole_body',
      phrase: `over ${what}`,
      remedy: 'sign the four values alone, joined with nothing between them',
      expected: 'the four values',
      actual: what,
    };
    found.push({ ...wholeDeviation('whole:body', text, [cause]), isSingleOnly });
  };
  add(body, 'the whole body as sent');
  add(body.trim(), 'the whole body, trimmed');
  const tree = readJsonTree(body);
  if (tree === null) return found;
  if (body.length > FULL_SEARCH_LENGTH) {
    add(writeJson(tree, JSON_STYLES[0]!), `the whole body, ${JSON_STYLES[0]!.name}`);
    return found;
  }
  add(body.replace(/\r\n?/g, '\n'), 'the whole body with line ends as LF');
  add(body.replace(/\r?\n/g, '\r\n'), 'the whole body with line ends as CRLF');
  add(body.replace(/\s+/g, ''), 'the whole body with all white space taken out');
  for (const style of JSON_STYLES) {
    const isRare = style.isAscii || style.hasEscapedSlash;
    add(writeJson(tree, style), `the whole body, ${style.name}`, isRare);
  }
  for (const name of ['transaction', 'originator', 'recipient']) {
    const member = memberOf(tree, name);
    if (member === null) continue;
    for (const style of JSON_STYLES)
      add(writeJson(member, style), `the object ${name} alone, ${style.name}`, true);
  }
  return found;
}

/** Makes one deviation that stands in place of the four values. */
export function wholeDeviation(slot: string, text: string, causes: Cause[]): Deviation {
  return {
    stage: STAGES.whole,
    slot,
    apply: (draft) => void (draft.whole = text),
    explain: () => causes,
  };
}

/** Makes the string that the other side claims a candidate; what differs in it becomes its causes. */
export function listClaimedDeviations(claimed: string, values: readonly string[]): Deviation[] {
  if (claimed === values.join('')) return [];
  return [wholeDeviation('whole:claimed', claimed, compareClaimed(claimed, values))];
}

const SIGNED_PATHS = [
  'transaction.reference',
  'transaction.amount',
  'originator.country',
  'transaction.service_code',
];

/** Names what is missing from, or left over in, a string that no known deviation explains. */
export function compareClaimed(actual: string, values: readonly string[]): Cause[] {
  let rest = actual;
  const causes: Cause[] = [];
  values.slice(0, 4).forEach((value, index) => {
    const at = value === '' ? -1 : rest.indexOf(value);
    if (at !== -1) rest = rest.slice(0, at) + rest.slice(at + value.length);
    else if (value !== '') causes.push(leftover('string.field_missing', index, value));
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
  const path = SIGNED_PATHS[index]!;
  return {
    code,
    phrase: `without ${path} as it is sent (${cutText(value)})`,
    remedy: `sign ${path} exactly as it stands in the body`,
    expected: value,
    actual: null,
  };
}
