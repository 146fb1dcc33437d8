import { findBodyRule } from '../payments/check-body';
import type { FieldRule } from '../payments/tables/fields';
import { scanJson } from '../json/json-scanner';
import {
  applyEdit,
  insertMember,
  removeMember,
  replaceValue,
  writeBodyText,
  writeEmptyField,
} from './edit-body';
import { fieldsOf } from './body-place';
import type { FieldSamples } from './edit-body';
import { type BodyMember, type BodyValue, decodeBodyText, memberOf, readBodyTree } from './read-body-tree';

/** One line of the form. */
export interface FormRow {
  readonly path: readonly string[];
  /** Null: the interface has no such field; it is kept, and can be edited all the same. */
  readonly rule: FieldRule | null;
  /** `group`: an object whose rows follow. `text`: between quotes. `literal`: as it is written. */
  readonly kind: 'group' | 'text' | 'literal';
  /** What stands there: decoded between quotes, else as written. Null: it is not in the body. */
  readonly value: string | null;
}

/** A body laid out as a form; `fault` says why it cannot be. */
export interface BodyForm {
  readonly rows: readonly FormRow[];
  readonly fault: string | null;
}

const LONGEST_CHARS = 256 * 1024;
const MOST_ROWS = 300;

/**
 * Lays out a body as it is edited: what the interface names, in its order, then what else stands there.
 *
 * The form is a view of the text. It holds nothing of its own, so that text and form cannot differ.
 */
export function readBodyForm(operation: string, text: string): BodyForm {
  if (text.length > LONGEST_CHARS) return refuse('This body is too long for a form: edit it as text.');
  const { root, fault, isCut } = readBodyTree(text);
  if (root?.kind !== 'object') return refuse('The body is no JSON object: a form shows the fields of one.');
  if (fault !== null) {
    const line = text.slice(0, fault).split('\n').length;
    return refuse(`The body does not read as JSON (line ${line}): mend it as text, and the form shows it.`);
  }
  const rows = listRows(text, root, findBodyRule(operation)?.fields ?? [], []);
  if (isCut || rows.length > MOST_ROWS)
    return refuse('This body has too many fields for a form: edit it as text.');
  return { rows, fault: null };
}

const refuse = (fault: string): BodyForm => ({ rows: [], fault });

function listRows(
  text: string,
  owner: BodyValue,
  fields: readonly FieldRule[],
  path: readonly string[],
): FormRow[] {
  const known = fields.flatMap((rule) =>
    listField(text, memberOf(owner, rule.name), rule, [...path, rule.name]),
  );
  const others = owner.members
    .filter(
      (member) => !fields.some(({ name }) => name === member.key) && memberOf(owner, member.key) === member,
    )
    .flatMap((member) => listField(text, member, null, [...path, member.key]));
  return [...known, ...others];
}

function listField(
  text: string,
  member: BodyMember | null,
  rule: FieldRule | null,
  path: readonly string[],
): FormRow[] {
  const value = member?.value ?? null;
  if (value === null) return [{ path, rule, kind: rule?.type === 'object' ? 'group' : 'text', value: null }];
  if (value.kind === 'object' && path.length < 3) {
    const inner = listRows(text, value, rule?.fields ?? [], path);
    return [{ path, rule, kind: 'group', value: '' }, ...inner];
  }
  const isText = value.kind === 'text';
  const written = isText ? decodeBodyText(text, value) : text.slice(value.start, value.end);
  return [{ path, rule, kind: isText ? 'text' : 'literal', value: written }];
}

/**
 * Sets one field as it was typed into the form; every byte of other fields stays.
 *
 * A number is written as one, whatever else is typed goes between quotes: the body stays JSON with every key.
 * @returns the body; null where the field is not there, or what was typed cannot stand there
 */
export function setFormField(
  operation: string,
  text: string,
  path: readonly string[],
  typed: string,
): string | null {
  const found = findMember(text, path);
  const value = found?.member.value ?? null;
  if (value === null) return null;
  const rule = fieldsOf(findBodyRule(operation)?.fields ?? [], path.slice(0, -1))?.find(
    ({ name }) => name === path.at(-1),
  );
  const literal = writeTyped(typed, value, rule ?? null);
  if (literal === null) return null;
  if (value.kind === 'text' && decodeBodyText(text, value) === typed && literal.startsWith('"')) return text;
  return applyEdit(text, replaceValue(value, literal));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const VARIABLE = /^\{\{[^{}\r\n]+\}\}$/;

function writeTyped(typed: string, value: BodyValue, rule: FieldRule | null): string | null {
  const isNumeric = rule?.type === 'integer' || rule?.type === 'number';
  if (isNumeric) return NUMBER.test(typed) || VARIABLE.test(typed) ? typed : writeBodyText(typed);
  if (value.kind === 'text' || rule?.type === 'string') return writeBodyText(typed);
  if (VARIABLE.test(typed)) return typed;
  try {
    scanJson(typed, { levels: -1, key: nothing, scalar: nothing, open: nothing, close: nothing });
    return typed;
  } catch {
    return null;
  }
}

const nothing = (): void => undefined;

/** Puts a field in, with a value to begin with, and the object that it stands in where that lacks, too. */
export function addFormField(
  operation: string,
  text: string,
  path: readonly string[],
  sample: FieldSamples,
): string | null {
  const fields = findBodyRule(operation)?.fields ?? [];
  const ownerPath = path.slice(0, -1);
  const { root } = readBodyTree(text);
  const owner = ownerPath.length === 0 ? root : (findMember(text, ownerPath)?.member.value ?? null);
  if (owner?.kind !== 'object') {
    const whole = ownerPath.length === 0 ? null : addFormField(operation, text, ownerPath, sample);
    return whole === null || findMember(whole, path) !== null
      ? whole
      : addFormField(operation, whole, path, sample);
  }
  const beside = fieldsOf(fields, ownerPath) ?? [];
  const rule = beside.find(({ name }) => name === path.at(-1));
  if (memberOf(owner, path.at(-1)!) !== null) return null;
  const literal = rule === undefined ? '""' : writeEmptyField(rule, sample);
  const order = beside.map(({ name }) => name);
  return applyEdit(text, insertMember(text, owner, { name: path.at(-1)!, literal }, order));
}

/** Takes a field out. */
export function removeFormField(text: string, path: readonly string[]): string | null {
  const found = findMember(text, path);
  return found === null ? null : applyEdit(text, removeMember(found.owner, found.member));
}

function findMember(text: string, path: readonly string[]): { owner: BodyValue; member: BodyMember } | null {
  let owner = readBodyTree(text).root;
  let found: { owner: BodyValue; member: BodyMember } | null = null;
  for (const name of path) {
    const member = owner?.kind === 'object' ? memberOf(owner, name) : null;
    if (owner === null || member === null) return null;
    found = { owner, member };
    owner = member.value;
  }
  return found;
}
