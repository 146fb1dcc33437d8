import { findExpression } from '../http-file/find-expression';
import type { FieldRule } from '../payments/tables/fields';
import type { BodyMember, BodyValue } from './read-body-tree';

/** One change of a text; everything else stays byte for byte. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A change of a body that ends a problem. */
export interface BodyFix extends TextEdit {
  readonly label: string;
}

/** Applies one change. */
export function applyEdit(text: string, edit: TextEdit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

/** Writes a text as JSON, its variables as they stand: they are filled in before anything reads the JSON. */
export function writeBodyText(text: string): string {
  let written = '';
  let at = 0;
  for (let found = findExpression(text, 0); found !== null; found = findExpression(text, found.end)) {
    written += JSON.stringify(text.slice(at, found.start)).slice(1, -1) + text.slice(found.start, found.end);
    at = found.end;
  }
  return `"${written}${JSON.stringify(text.slice(at)).slice(1, -1)}"`;
}

/** What a field is written as before anybody has filled it in. */
export function writeEmptyField(rule: FieldRule, samples: FieldSamples): string {
  if (rule.type === 'object') {
    const inner = (rule.fields ?? [])
      .filter(({ isRequired }) => isRequired)
      .map((field) => `"${field.name}": ${writeEmptyField(field, samples)}`);
    return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
  }
  if (rule.type !== 'string') return '0';
  return JSON.stringify(samples(rule) ?? '');
}

/** Gives a value to begin with; null: there is none that fits everybody. */
export type FieldSamples = (rule: FieldRule) => string | null;

const timestampVariables: Readonly<Partial<Record<string, string>>> = {
  remittance_timestamp: "{{$datetime 'YYYY-MM-DD HH:mm:ss'}}",
  payout_timestamp: '{{$isoTimestamp}}',
};

/** The variable that a field is best left to: the time of sending, a reference of its own each time. */
export function variableFor(rule: FieldRule): string | null {
  if (rule.format !== undefined) return timestampVariables[rule.format] ?? null;
  return rule.isIdempotencyKey === true ? '{{$uuid}}' : null;
}

/** Adds a member to an object: after the one that comes before it in the interface's order, laid out as its neighbours are. */
export function insertMember(
  text: string,
  owner: BodyValue,
  member: { name: string; literal: string },
  order: readonly string[],
): TextEdit {
  const { members } = owner;
  const written = `${JSON.stringify(member.name)}:`;
  if (members.length === 0) return insertFirst(text, owner, `${written} ${member.literal}`);
  const rank = order.indexOf(member.name);
  const neighbour = members.findLast(({ key }) => isBefore(order.indexOf(key), rank)) ?? members.at(-1)!;
  const ahead = text.slice(owner.start, neighbour.keyStart);
  const gap = ahead.slice(ahead.trimEnd().length);
  const space = neighbour.colonEnd === null ? ' ' : readBlank(text, neighbour.colonEnd);
  const end = endOf(neighbour);
  const literal = space === '' ? packLiteral(member.literal) : member.literal;
  return { start: end, end, text: `,${gap}${written}${space}${literal}` };
}

/** Where a member ends, however little of it is written. */
const endOf = ({ keyEnd, colonEnd, value }: BodyMember): number => value?.end ?? colonEnd ?? keyEnd;

const isBefore = (one: number, other: number): boolean => one > -1 && one < other;

const readBlank = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(at, at + 40))![0];

/** Where the body has no blanks, what is added has none. */
export const packLiteral = (literal: string): string =>
  literal.startsWith('{')
    ? literal.replaceAll('{ "', '{"').replaceAll('": ', '":').replaceAll(', "', ',"').replaceAll(' }', '}')
    : literal;

function insertFirst(text: string, owner: BodyValue, written: string): TextEdit {
  const start = owner.start + 1;
  const end = owner.isClosed ? owner.end - 1 : owner.start + 1;
  const lineStart = text.lastIndexOf('\n', owner.start) + 1;
  const isLaidOut = lineStart > 0 || text.slice(start, end).includes('\n');
  if (!isLaidOut) return { start, end, text: written };
  const indent = /^[ \t]*/.exec(text.slice(lineStart, owner.start))![0];
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return { start, end, text: `${lineEnd}${indent}  ${written}${lineEnd}${indent}` };
}

/** Takes a member out, with the comma that then is one too many. */
export function removeMember(owner: BodyValue, member: BodyMember): TextEdit {
  const at = owner.members.indexOf(member);
  const end = endOf(member);
  const before = owner.members[at - 1];
  if (before !== undefined) return { start: endOf(before), end, text: '' };
  const next = owner.members[at + 1];
  if (next !== undefined) return { start: member.keyStart, end: next.keyStart, text: '' };
  return { start: owner.start + 1, end: owner.isClosed ? owner.end - 1 : end, text: '' };
}

/** Puts another value in the place of one. */
export function replaceValue(value: BodyValue, literal: string): TextEdit {
  return { start: value.start, end: value.end, text: literal };
}
