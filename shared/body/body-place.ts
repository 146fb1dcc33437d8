import type { FieldRule } from '../payments/tables/fields';
import { decodeBodyText, type BodyMember, type BodyTree, type BodyValue } from './read-body-tree';

/** Where an offset stands in a body. */
export type BodyPlace = Part & {
  /** Names of the objects around it, from the top. */
  readonly path: readonly string[];
  readonly owner: BodyValue;
};

type Part =
  /** Null: between members. */
  | { readonly part: 'key'; readonly member: BodyMember | null }
  | { readonly part: 'value'; readonly member: BodyMember };

/** Finds the innermost object around an offset, and what of it stands there; null: outside of all that is kept. */
export function findPlace({ root }: BodyTree, offset: number): BodyPlace | null {
  if (root?.kind !== 'object' || !isInside(root, offset)) return null;
  const path: string[] = [];
  let owner = root;
  for (;;) {
    const member = owner.members.findLast(({ keyStart }) => keyStart <= offset) ?? null;
    const value = member?.value ?? null;
    if (value?.kind === 'object' && isInside(value, offset)) {
      path.push(member!.key);
      owner = value;
      continue;
    }
    if (value?.kind === 'array' && isInside(value, offset)) return null;
    return { path, owner, ...placeIn(member, offset) };
  }
}

function placeIn(member: BodyMember | null, offset: number): Part {
  if (member === null) return { member, part: 'key' };
  const { keyEnd, colonEnd, value } = member;
  // Between a name and its colon nothing else can stand.
  if (offset < (colonEnd ?? keyEnd + 1)) return { member, part: 'key' };
  if (colonEnd !== null && (value === null || offset <= value.end)) return { member, part: 'value' };
  return { member: null, part: 'key' };
}

const isInside = ({ start, end, isClosed }: BodyValue, offset: number): boolean =>
  offset > start && (!isClosed || offset < end);

/** Follows names through the field table; null: the interface has no such field. */
export function findRule(fields: readonly FieldRule[], path: readonly string[]): FieldRule | null {
  let at: readonly FieldRule[] | undefined = fields;
  let found: FieldRule | null = null;
  for (const name of path) {
    found = at?.find((one) => one.name === name) ?? null;
    at = found?.fields;
  }
  return found;
}

/** The fields of an object by its path; null: it is free-form, or none of the interface's. */
export function fieldsOf(fields: readonly FieldRule[], path: readonly string[]): readonly FieldRule[] | null {
  return path.length === 0 ? fields : (findRule(fields, path)?.fields ?? null);
}

/** Text of a member beside others; null: it is not there, or no text. */
export function readSibling(text: string, owner: BodyValue, name: string): string | null {
  const value = owner.members.findLast(({ key }) => key === name)?.value;
  return value?.kind === 'text' ? decodeBodyText(text, value) : null;
}
