import { readJsonTree, type JsonNode } from '../json/json-tree';
import { JSON_STRING } from '../json/json-sink';
import { findSignedFields, SIGNED_FIELDS } from '../signing/signed-fields';
import { joinSignedFields } from '../signing/string-to-sign';
import type { SubjectValue } from './search/draft';

const MAX_EXTRAS = 60;
const MAX_EXTRA_LENGTH = 300;

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
  const values: SubjectValue[] = SIGNED_FIELDS.map(({ path }, index) => ({
    path,
    text: finder.valueOf(index),
    raw: body.slice(finder.starts[index], finder.ends[index]),
    isString: finder.kinds[index] === JSON_STRING,
  }));
  const extras: SubjectValue[] = [];
  const tree = readJsonTree(body);
  if (tree !== null) collectValues(tree, '', extras, new Set(SIGNED_FIELDS.map(({ path }) => path)));
  return { body, expected, values: [...values, ...extras] };
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
