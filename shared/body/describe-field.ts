import type { FieldRule } from '../payments/tables/fields';
import { describeFormat } from '../payments/validate-fields';
import { findCountry } from '../payments/tables/countries';
import { currencies } from '../payments/tables/currencies';
import { SIGNED_FIELDS } from '../signing/signed-fields';

/** The values that a field takes beside this one's neighbours; null: any. */
export function listAllowed(
  rule: FieldRule,
  sibling: (name: string) => string | null,
): readonly string[] | null {
  if (rule.allowed !== undefined) return rule.allowed;
  if (rule.allowedBy === undefined) return null;
  const { sibling: name, values } = rule.allowedBy;
  const type = sibling(name);
  return type !== null && Object.hasOwn(values, type) ? values[type]! : Object.values(values).flat();
}

/**
 * Says what a field is, in lines: its meaning, whether it must be there, what it takes.
 *
 * @param value - what stands there; a code is told by name
 */
export function describeField(rule: FieldRule, path: readonly string[], value: string | null): string[] {
  const name = path.join('.');
  const kind = rule.type === 'string' ? 'text' : rule.type === 'integer' ? 'whole number' : rule.type;
  const signed = SIGNED_FIELDS.some((one) => one.path === name) ? ', part of the string to sign' : '';
  const lines = [`${name}: ${rule.note}.`, `${rule.isRequired ? 'Required' : 'Optional'} ${kind}${signed}.`];
  if (rule.format !== undefined) lines.push(`It ${describeFormat(rule.format)}.`);
  if (rule.allowed !== undefined) lines.push(`One of ${rule.allowed.join(', ')}.`);
  for (const [type, values] of Object.entries(rule.allowedBy?.values ?? {})) {
    lines.push(`Where ${rule.allowedBy!.sibling} is ${type}: ${values.join(', ')}.`);
  }
  const meaning = value === null ? null : nameCode(rule, value);
  return meaning === null ? lines : [...lines, `${value}: ${meaning}.`];
}

/** The country or currency that a code stands for. */
export function nameCode({ format }: FieldRule, code: string): string | null {
  if (format === 'country') return findCountry(code)?.name ?? null;
  return format === 'currency' ? (currencies.find((one) => one.code === code)?.name ?? null) : null;
}
