import { memberOf, readJsonTree, type JsonNode } from '../json/json-tree';
import { printJsonLine } from '../json/print-json-tree';
import { errorCodes, initiationOutcomes, unknownPayment } from './tables/codes';
import { acceptanceData, statusData, walletRecord } from './tables/fields';

/** One field of an answer in words. */
export interface ExplainedField {
  /** `data.payment_uuid`, `results[0].currency`. */
  readonly path: string;
  /** As received; of an object or list that is not gone into, its text. */
  readonly value: string;
  /** What the interface says of it; null: it does not name it. */
  readonly note: string | null;
}

/** More rows help nobody: the body itself has them. */
const MOST_ROWS = 300;
/** Deeper objects are shown as they are. */
const DEEPEST = 4;

const toNotes = (fields: readonly { name: string; note: string }[]): [string, string][] =>
  fields.map(({ name, note }) => [name, note]);

/** Fields of every answer by their name. @source parts 2.3 to 2.5, 4 and 7 */
const NOTES: ReadonlyMap<string, string> = new Map([
  ...toNotes(walletRecord),
  ...toNotes(acceptanceData),
  ...toNotes(statusData),
  ['access_token', 'The token; masked here'],
  ['token_type', 'How the token is sent'],
  ['expires_in', 'How long the token holds, in seconds'],
  ['product', 'The product that the token is for'],
  ['description', 'What happened, for a person'],
  ['checkout_url', 'Page where the customer pays'],
  ['error', 'Machine-readable code of the error object'],
  ['message', 'What is wrong, for a person'],
  ['param', 'The field that it is about'],
  ['request_id', 'Names this request to the service’s support'],
  ['field', 'Path of the field that was refused'],
  ['delivery_id', 'Id of the test webhook’s delivery'],
  ['data', 'Nothing further'],
  ['results', 'Nothing: no wallet, or none may be seen'],
  ['field_errors', 'No field is named'],
]);

/** Meanings of `code` and `status` at the top, by what they say. @source parts 4.1, 4.3, 4.4 and 7.1 */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ...Object.values(errorCodes).map(({ code, meaning }): [string, string] => [code, meaning]),
  [initiationOutcomes.accepted.code, 'Accepted: the final outcome comes by webhook'],
  [initiationOutcomes.accepted.status, 'The request was understood; the code tells the outcome'],
  [initiationOutcomes.acceptedOtherForm.code, 'Accepted, in the other form of the interface'],
  [initiationOutcomes.rejected.code, 'Rejected, or a duplicate that was ignored'],
  [unknownPayment.status, 'No such payment'],
  ['SUCCESS', 'Answered'],
  ['FAILED', 'Failed'],
  ['UNAUTHORIZED', 'The token or signature was not taken'],
  ['FORBIDDEN', 'This is not allowed to the caller'],
  ['200', 'Answered'],
  ['401', 'The token was not taken'],
  ['404', 'Not provisioned for the token’s product'],
]);

/**
 * Reads an answer field by field, with what the interface says of each; what it does not name stands as it is.
 *
 * @returns null where the body is not JSON
 */
export function explainAnswer(bodyText: string): { fields: ExplainedField[]; isCut: boolean } | null {
  const tree = readJsonTree(bodyText);
  if (tree === null) return null;
  const fields: ExplainedField[] = [];
  const isRefusal = memberOf(tree, 'data', 'field_errors') !== null;
  const isFault = [memberOf(tree, 'error'), memberOf(tree, 'data', 'field_errors')].some(saysSomething);
  addFields(tree, '', '', 0, fields);
  return {
    // Of a refusal, 400.100 says more than its status alone.
    fields: fields
      .slice(0, MOST_ROWS)
      .map((field) => (isRefusal ? field : withoutValidation(field)))
      .map((field) => (isFault ? field : withoutFault(field))),
    isCut: fields.length > MOST_ROWS,
  };
}

function addFields(
  node: JsonNode,
  path: string,
  name: string,
  depth: number,
  fields: ExplainedField[],
): void {
  if (fields.length > MOST_ROWS) return;
  const isOpen = depth < DEEPEST;
  if (isOpen && node.kind === 'object' && (node.members.size > 0 || path === '')) {
    for (const [key, value] of node.members) {
      addFields(value, path === '' ? key : `${path}.${key}`, key, depth + 1, fields);
    }
  } else if (isOpen && node.kind === 'array' && node.items.length > 0) {
    for (const [at, item] of node.items.entries()) addFields(item, `${path}[${at}]`, name, depth + 1, fields);
  } else {
    const value = node.kind === 'object' || node.kind === 'array' ? printJsonLine(node) : node.text;
    fields.push({ path, value, note: noteOf(path, name, value) });
  }
}

function noteOf(path: string, name: string, value: string): string | null {
  if (path === 'code' || path === 'status')
    return MEANINGS.get(value) ?? MEANINGS.get(value.toUpperCase()) ?? null;
  if (name === 'status' && !path.startsWith('results')) return null;
  return NOTES.get(name) ?? null;
}

/** `400.100` is also the status of a refusal that names no field. @source part 4.1 */
function withoutValidation(field: ExplainedField): ExplainedField {
  const isRefusal = field.value === initiationOutcomes.rejected.status && field.note !== null;
  return isRefusal ? { ...field, note: 'Refused; the description says why' } : field;
}

/** Of what says neither an error nor a refused field, a message tells of nothing wrong. @source parts 7.1 and 7.2 */
function withoutFault(field: ExplainedField): ExplainedField {
  const isMessage = field.note === NOTES.get('message');
  return isMessage ? { ...field, note: 'A message, for a person' } : field;
}

/** Some services send `"error": null` with every good answer. */
function saysSomething(node: JsonNode | null): boolean {
  if (node === null) return false;
  if (node.kind === 'array') return node.items.length > 0;
  if (node.kind === 'object') return node.members.size > 0;
  return !['', '0', 'null', 'false'].includes(node.text);
}
