import { findBodyRule, isLetThrough, type BodyRule } from '../payments/check-body';
import type { FieldRule } from '../payments/tables/fields';
import type { FieldError } from '../payments/validate-fields';
import { fieldsOf, findRule, readSibling } from './body-place';
import {
  insertMember,
  packLiteral,
  removeMember,
  writeEmptyField,
  type BodyFix,
  type TextEdit,
} from './edit-body';
import { fixValue, type FixSources } from './fix-value';
import { nearestName } from './nearest-name';
import { type BodyMember, type BodyValue, decodeBodyText, memberOf, readBodyTree } from './read-body-tree';

/** Something that the service refuses, or that is worth a look. Offsets are of the body that was read. */
export interface FieldProblem {
  readonly code: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
  readonly start: number;
  readonly end: number;
  readonly fixes: readonly BodyFix[];
}

/** Longer bodies are refused by the service; and more problems than this nobody reads. */
const LONGEST_CHARS = 1024 * 1024;
const MOST_PROBLEMS = 50;

interface Reading {
  readonly text: string;
  readonly rule: BodyRule;
  readonly root: BodyValue;
  readonly sources: FixSources;
}

/**
 * Checks a body as it will be sent by the sandbox's own checks, and says where each fault stands and what ends it.
 *
 * What holds a variable that has no value yet, or one that the back end alone has, is not judged.
 * @returns empty where the operation has no body, and where the body is not JSON: that is said elsewhere
 */
export function findBodyProblems(operation: string, text: string, sources: FixSources): FieldProblem[] {
  const rule = findBodyRule(operation);
  if (rule === null) return [];
  if (text.length > LONGEST_CHARS) return [say(unchecked, 0, 1)];
  const { root, fault, isCut } = readBodyTree(text, 'where it is cut');
  if (isCut) return [say(unchecked, 0, 1)];
  if (root?.kind !== 'object' || fault !== null) return [];
  const reading = { text, rule, root, sources };
  const problems = [...listRefused(reading), ...listDoubtful(reading, root, [])];
  if (problems.length <= MOST_PROBLEMS) return problems;
  const left = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), say(`${left} more of these.`, root.start, root.start + 1)];
}

const unchecked =
  'This body is too large to be checked field by field: nothing is known to be wrong, or right.';

const say = (message: string, start: number, end: number): FieldProblem => ({
  code: 'fields.more',
  message,
  severity: 'warning',
  start,
  end,
  fixes: [],
});

function listRefused(reading: Reading): FieldProblem[] {
  const { text, root, rule } = reading;
  const transaction = memberOf(root, 'transaction')?.value;
  const amount = transaction && memberOf(transaction, 'amount')?.value;
  const literal = amount?.kind === 'bare' ? text.slice(amount.start, amount.end) : null;
  return rule.validate(toPlain(text, root), literal).flatMap((error) => toProblem(reading, error) ?? []);
}

function toProblem(reading: Reading, error: FieldError): FieldProblem | null {
  const { text, root, rule, sources } = reading;
  const path = error.field.split('.');
  const found = findOwner(root, path);
  const field = findRule(rule.fields, path);
  const severity = isLetThrough(error) ? 'warning' : 'error';
  const message = `${error.field} ${error.message}.`;
  // What is said of the whole body is said of `body`, which is no field.
  if (found === null || field === null) {
    const fixes = rule.isOneOf === true ? addOneOf(reading) : [];
    return { code: 'fields.body', message, severity, start: root.start, end: root.start + 1, fixes };
  }
  const { owner, start, end } = found;
  const member = memberOf(owner, field.name);
  const value = member?.value ?? null;
  if (value === null) {
    const fixes = addMissing(reading, owner, path.slice(0, -1), field);
    return { code: 'fields.missing', message, severity, start, end, fixes };
  }
  const literal = text.slice(value.start, Math.min(value.end, value.start + 10_000));
  if (literal.includes('{{')) return null;
  const offered = fixValue(text, field, owner, value, sources);
  // What would leave the body as it is ends nothing.
  const mending = offered.filter((fix) => fix.text !== text.slice(fix.start, fix.end));
  const isSpare = !field.isRequired && (literal === '""' || literal === 'null' || isOneTooMany(reading));
  const fixes = isSpare
    ? [...mending, { label: `Remove ${field.name}`, ...removeMember(owner, member!) }]
    : mending;
  return { code: 'fields.value', message, severity, start: value.start, end: value.end, fixes };
}

/** Each of those of which one is to be there. */
function addOneOf({ text, rule, root, sources }: Reading): BodyFix[] {
  return rule.fields.map((field) => {
    const added = { name: field.name, literal: writeEmptyField(field, sources.sample) };
    return { label: `Add ${field.name}`, ...insertMember(text, root, added, []) };
  });
}

const isOneTooMany = ({ rule, root }: Reading): boolean =>
  rule.isOneOf === true && rule.fields.filter(({ name }) => memberOf(root, name) !== null).length > 1;

/** One that is missing, and all that are missing beside it. */
function addMissing(
  { text, rule, root, sources }: Reading,
  owner: BodyValue,
  path: readonly string[],
  wanted: FieldRule,
): BodyFix[] {
  const fields = fieldsOf(rule.fields, path) ?? [];
  const order = fields.map(({ name }) => name);
  const write = (field: FieldRule) => ({ name: field.name, literal: writeEmptyField(field, sources.sample) });
  const one = { label: `Add ${wanted.name}`, ...insertMember(text, owner, write(wanted), order) };
  const lacking = fields.filter(({ name, isRequired }) => isRequired && memberOf(owner, name) === null);
  if (lacking.length < 2) return [one];
  const edit =
    owner === root && owner.members.length === 0
      ? writeWhole(root, lacking.map(write))
      : insertAll(text, owner, lacking.map(write));
  return [one, { label: `Add all ${lacking.length} missing`, ...edit }];
}

/** A body that has nothing yet is laid out as a new request is. */
function writeWhole(
  { start, end }: BodyValue,
  members: readonly { name: string; literal: string }[],
): TextEdit {
  const whole = members.map(({ name, literal }) => [name, JSON.parse(literal) as unknown] as const);
  return { start, end, text: JSON.stringify(Object.fromEntries(whole), null, 2) };
}

/** Several members in one change: after the last that stands there. */
function insertAll(
  text: string,
  owner: BodyValue,
  [first, ...others]: readonly { name: string; literal: string }[],
): TextEdit {
  const edit = insertMember(text, owner, first!, []);
  const gap = /^,?(\s*)/.exec(edit.text)![1]!;
  const tail = edit.text.slice(edit.text.trimEnd().length);
  const space = /":(\s*)/.exec(edit.text)![1]!;
  const write = (literal: string): string => (space === '' ? packLiteral(literal) : literal);
  const rest = others.map(({ name, literal }) => `,${gap}${JSON.stringify(name)}:${space}${write(literal)}`);
  return { ...edit, text: edit.text.trimEnd() + rest.join('') + tail };
}

function listDoubtful(reading: Reading, owner: BodyValue, path: readonly string[]): FieldProblem[] {
  const fields = fieldsOf(reading.rule.fields, path);
  if (fields === null) return [];
  const found = owner.members.flatMap((member): FieldProblem[] => {
    const field = fields.find(({ name }) => name === member.key);
    if (field === undefined) return [doubtUnknown(owner, member, path, fields)];
    const inner =
      member.value?.kind === 'object' ? listDoubtful(reading, member.value, [...path, member.key]) : [];
    return [
      ...doubtRepeated(owner, member, path),
      ...doubtMeaning(reading.text, owner, { member, field, path, fields }),
      ...inner,
    ];
  });
  return [...found, ...doubtLack(reading, owner, path, fields)];
}

/** Where the name of a member stands. */
const placeOf = ({ keyStart, keyEnd }: BodyMember) => ({ start: keyStart, end: keyEnd });

function doubtUnknown(
  owner: BodyValue,
  member: BodyMember,
  path: readonly string[],
  fields: readonly FieldRule[],
): FieldProblem {
  const free = fields.map(({ name }) => name).filter((name) => memberOf(owner, name) === null);
  const nearest = nearestName(member.key, free);
  const rename = nearest && {
    label: `Rename to ${nearest}`,
    ...placeOf(member),
    text: JSON.stringify(nearest),
  };
  return {
    code: 'fields.unknown',
    message: `${[...path, member.key].join('.').slice(0, 120)} is no field of the interface.`,
    severity: 'warning',
    ...placeOf(member),
    fixes: [
      ...(rename ? [rename] : []),
      { label: `Remove ${member.key.slice(0, 40)}`, ...removeMember(owner, member) },
    ],
  };
}

function doubtRepeated(owner: BodyValue, member: BodyMember, path: readonly string[]): FieldProblem[] {
  if (memberOf(owner, member.key) === member) return [];
  return [
    {
      code: 'fields.repeated',
      message: `${[...path, member.key].join('.')} stands more than once: the last one counts here, the first one elsewhere.`,
      severity: 'warning',
      ...placeOf(member),
      fixes: [{ label: 'Remove this one', ...removeMember(owner, member) }],
    },
  ];
}

function doubtMeaning(
  text: string,
  owner: BodyValue,
  at: { member: BodyMember; field: FieldRule; path: readonly string[]; fields: readonly FieldRule[] },
): FieldProblem[] {
  const { member, field, path, fields } = at;
  if (field.meantFor === undefined) return [];
  const { sibling, value } = field.meantFor;
  const type = readSibling(text, owner, sibling);
  // One that is none of its values is told of there, and may still be meant for this one.
  const isOther =
    type !== value && fields.find(({ name }) => name === sibling)?.allowed?.includes(type ?? '');
  if (isOther !== true) return [];
  return [
    {
      code: 'fields.out_of_place',
      message: `${[...path, field.name].join('.')} is meant for ${value}, and ${sibling} is ${type}.`,
      severity: 'warning',
      ...placeOf(member),
      fixes: [{ label: `Remove ${field.name}`, ...removeMember(owner, member) }],
    },
  ];
}

function doubtLack(
  reading: Reading,
  owner: BodyValue,
  path: readonly string[],
  fields: readonly FieldRule[],
): FieldProblem[] {
  return fields.flatMap((field): FieldProblem[] => {
    const { meantFor, name } = field;
    if (meantFor === undefined || memberOf(owner, name) !== null) return [];
    if (readSibling(reading.text, owner, meantFor.sibling) !== meantFor.value) return [];
    const at = memberOf(owner, meantFor.sibling)!.value!;
    return [
      {
        code: 'fields.expected',
        message: `${[...path, name].join('.')} is not there: the interface names it for ${meantFor.value}.`,
        severity: 'warning',
        start: at.start,
        end: at.end,
        fixes: addMissing(reading, owner, path, field).slice(0, 1),
      },
    ];
  });
}

/** The object that a field is to stand in, and where its name stands: the first brace for the body itself. */
function findOwner(
  root: BodyValue,
  path: readonly string[],
): { owner: BodyValue; start: number; end: number } | null {
  let found = { owner: root, start: root.start, end: root.start + 1 };
  for (const name of path.slice(0, -1)) {
    const member = memberOf(found.owner, name);
    if (member?.value?.kind !== 'object') return null;
    found = { owner: member.value, ...placeOf(member) };
  }
  return found;
}

/** The values of a tree as the checks take them; what is deeper than the tree is an empty object or list. */
function toPlain(text: string, value: BodyValue): unknown {
  if (value.kind === 'text') return decodeBodyText(text, value);
  if (value.kind === 'array') return [];
  if (value.kind === 'object') {
    const entries = value.members.flatMap(({ key, value: inner }) =>
      inner === null ? [] : [[key, toPlain(text, inner)] as const],
    );
    return Object.fromEntries(entries);
  }
  const literal = text.slice(value.start, Math.min(value.end, value.start + 1000));
  return names.has(literal) ? names.get(literal) : Number(literal);
}

const names: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
