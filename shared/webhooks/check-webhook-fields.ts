import { AppError } from '../errors';
import type { JsonNode, JsonObject } from '../json/json-tree';
import { memberOf, parseJsonTree } from '../json/json-tree';
import { writeJson } from '../json/write-json';
import { webhookFields, type AnswerField } from '../payments/tables/fields';
import { webhookStatuses } from '../payments/tables/states';

/** One place in which a webhook is not as the schema says. */
export interface WebhookFieldProblem {
  /** JSON pointer; empty: the whole. */
  readonly pointer: string;
  readonly kind: 'missing' | 'unexpected' | 'wrong_type' | 'unknown_value' | 'not_json' | 'too_many';
  readonly message: string;
}

/** Deeper ones hold no field. */
const LEVELS = 32;
/** A webhook has a few dozen; each of a million takes hundreds of bytes to look at. */
const MOST_VALUES = 200_000;
/** So many unexpected members are named; the rest is counted. */
const MOST_NAMED = 50;
const MOST_SHOWN = 80;

const usualStatuses: readonly string[] = Object.values(webhookStatuses);

type Forms = Readonly<Record<string, { fits(text: string): boolean; says: string }>>;

/** What the form of a text is, beyond being text. */
function listForms(moreStatuses: readonly string[]): Forms {
  const statuses = [...usualStatuses, ...moreStatuses];
  return {
    status: { fits: (text) => statuses.includes(text), says: `none of ${statuses.join(', ')}` },
    payment_uuid: { fits: (text) => /^\d+$/.test(text), says: 'not a numeric text' },
  };
}

/**
 * Compares the body of a webhook with the schema: fields that are missing, unexpected, or of another type or form.
 *
 * Where the fields stand in `data`, they are looked for there. The schema is assumed: the interface shows none.
 * @param moreStatuses - states that an environment's service reports besides, in capitals
 * @source assumption A3
 */
export function checkWebhookFields(
  body: string,
  moreStatuses: readonly string[] = [],
): WebhookFieldProblem[] {
  const root = readRoot(body);
  if ('message' in root) return [{ pointer: '', ...root }];
  const data = memberOf(root, 'data');
  const isWrapped = data?.kind === 'object' && !webhookFields.some(({ name }) => root.members.has(name));
  const [record, base] = isWrapped ? [data, '/data'] : [root, ''];
  const forms = listForms(moreStatuses);
  const expected = webhookFields.flatMap((field) =>
    checkField(record.members.get(field.name), field, base, forms),
  );
  return [...expected, ...listUnexpected(record, base)];
}

function refuseMore(): never {
  throw new AppError('json.too_many', 'The body holds over 200,000 values, and is not looked into.');
}

/** The object that a body is, or what it is instead: text that is not JSON with the place where it breaks. */
function readRoot(body: string): JsonObject | Pick<WebhookFieldProblem, 'kind' | 'message'> {
  try {
    const root = parseJsonTree(body, LEVELS, { mostValues: MOST_VALUES, refuseMore });
    if (root.kind === 'object') return root;
    return { kind: 'not_json', message: `The body is ${nameKind(root)}; an object is expected.` };
  } catch (error) {
    if (!(error instanceof AppError)) return { kind: 'not_json', message: 'The body is not JSON.' };
    return { kind: error.code === 'json.too_many' ? 'too_many' : 'not_json', message: error.message };
  }
}

function checkField(
  node: JsonNode | undefined,
  field: AnswerField,
  base: string,
  forms: Forms,
): WebhookFieldProblem[] {
  const { name, type, isNullable, note } = field;
  const pointer = `${base}/${name}`;
  if (node === undefined) {
    return [{ pointer, kind: 'missing', message: `${name} is missing: ${type}. ${note}.` }];
  }
  const kind = nameKind(node);
  if (kind === 'null' && isNullable) return [];
  if (!fitsType(node, type)) {
    const shown = shorten(writeJson(node));
    return [{ pointer, kind: 'wrong_type', message: `${name} is ${kind} (${shown}); ${type} is expected.` }];
  }
  const form = forms[name];
  if (node.kind !== 'string' || form === undefined || form.fits(node.text)) return [];
  return [{ pointer, kind: 'unknown_value', message: `${name} is “${shorten(node.text)}”, ${form.says}.` }];
}

function fitsType(node: JsonNode, type: AnswerField['type']): boolean {
  if (type === 'integer') return node.kind === 'number' && /^-?\d+$/.test(node.text);
  return node.kind === type;
}

function listUnexpected(record: JsonObject, base: string): WebhookFieldProblem[] {
  const names = [...record.members.keys()].filter((name) => !webhookFields.some((one) => one.name === name));
  const named = names.slice(0, MOST_NAMED).map((name): WebhookFieldProblem => ({
    pointer: `${base}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    kind: 'unexpected',
    message: `${shorten(name)} is no field of the schema. A receiver has to pass over it.`,
  }));
  const left = names.length - named.length;
  if (left === 0) return named;
  const message = `${left} more members are no fields of the schema.`;
  return [...named, { pointer: base, kind: 'unexpected', message }];
}

/** 'a string', 'null', … as it follows 'is'. */
function nameKind(node: JsonNode): string {
  if (node.kind === 'name') return node.text === 'null' ? 'null' : 'a boolean';
  return node.kind === 'array' || node.kind === 'object' ? `an ${node.kind}` : `a ${node.kind}`;
}

const shorten = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
