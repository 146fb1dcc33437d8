import { readJsonTree, type JsonNode } from '../json/json-tree';
import { JSON_NUMBER, JSON_STRING } from '../json/json-sink';
import { findSignedFields, SIGNED_FIELDS, SignedFieldFinder } from '../signing/signed-fields';
import { decodeJsonString, scanJson } from '../json/json-scanner';
import { joinSignedFields } from '../signing/string-to-sign';
import type { SubjectValue } from './search/draft';

const MAX_EXTRAS = 60;
const MAX_EXTRA_LENGTH = 300;
const MOST_EARLIER = 4;

/** The body that the doctor looks at. */
export interface Subject {
  readonly body: string;
  readonly expected: string;
  /** The four signed values, then the other values of the body. */
  readonly values: readonly SubjectValue[];
}

/**
 * Reads a body for the doctor: the string to sign, and each value that someone may have signed too.
 *
 * @throws {AppError} as `readStringToSign`
 */
export function readSubject(body: string): Subject {
  const finder = findSignedFields(body);
  const expected = joinSignedFields(finder).text;
  const written = finder.repeats.length === 0 ? [] : listWritten(body);
  const values: SubjectValue[] = SIGNED_FIELDS.map(({ path }, index) => {
    const text = finder.valueOf(index);
    const earlier = (written[index] ?? []).filter((one) => one !== text).slice(0, MOST_EARLIER);
    return {
      path,
      text,
      raw: body.slice(finder.starts[index], finder.ends[index]),
      isString: finder.kinds[index] === JSON_STRING,
      ...(earlier.length > 0 && { earlier }),
    };
  });
  const extras: SubjectValue[] = [];
  const tree = readJsonTree(body);
  if (tree !== null) collectValues(tree, '', extras, new Set(SIGNED_FIELDS.map(({ path }) => path)));
  return { body, expected, values: [...values, ...extras] };
}

/** Every value that stands at the place of a signed field, first to last: readers differ in which they take. */
function listWritten(body: string): readonly string[][] {
  const found: string[][] = SIGNED_FIELDS.map(() => []);
  class EveryValue extends SignedFieldFinder {
    protected override keep(kind: number, start: number, end: number, hasEscape: boolean): void {
      if (kind === JSON_STRING || kind === JSON_NUMBER) {
        found[this.pending]!.push(decodeJsonString(body, start, end, hasEscape));
      }
      super.keep(kind, start, end, hasEscape);
    }
  }
  scanJson(body, new EveryValue(body));
  return found;
}

function collectValues(
  node: JsonNode,
  path: string,
  found: SubjectValue[],
  skipped: ReadonlySet<string>,
): void {
  if (found.length >= MAX_EXTRAS) return;
  if (node.kind === 'object') {
    for (const [key, member] of node.members) {
      collectValues(member, path === '' ? key : `${path}.${key}`, found, skipped);
    }
  } else if (node.kind === 'array') {
    node.items.forEach((item, index) => collectValues(item, `${path}[${index}]`, found, skipped));
  } else if (!skipped.has(path) && node.text !== '' && node.text.length <= MAX_EXTRA_LENGTH) {
    if (found.some(({ text }) => text === node.text)) return;
    found.push({ path, text: node.text, raw: node.text, isString: node.kind === 'string' });
  }
}
