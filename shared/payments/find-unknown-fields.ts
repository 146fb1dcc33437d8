import { isRecord } from '../json/is-record';
import type { FieldRule } from './tables/fields';
import type { FieldError } from './validate-fields';

/** More than so many are named once together. */
const MOST_NAMED = 20;

/**
 * Finds the members of a body that the interface does not name; what is free-form (`meta`) is passed over.
 *
 * The service may let them through. They are worth a look all the same: most are a name misspelt.
 */
export function findUnknownFields(value: unknown, rules: readonly FieldRule[]): readonly FieldError[] {
  const unknown = listUnknown(value, rules, '');
  const named = unknown
    .slice(0, MOST_NAMED)
    .map((field) => ({ field, message: 'is no field of the interface' }));
  const left = unknown.length - named.length;
  return left === 0
    ? named
    : [...named, { field: 'body', message: `has ${left} more that are no fields of the interface` }];
}

function listUnknown(value: unknown, rules: readonly FieldRule[], path: string): string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const rule = rules.find((one) => one.name === name);
    if (rule === undefined) return [path + name];
    return rule.fields === undefined ? [] : listUnknown(member, rule.fields, `${path}${name}.`);
  });
}
