import { toIntegerLiteral } from '../payments/decimal';
import { findIso2ByName } from '../payments/tables/countries';
import { toIso2 } from '../payments/tables/country-codes';
import { currencies, isCurrencyCode } from '../payments/tables/currencies';
import type { FieldRule, TextFormat } from '../payments/tables/fields';
import { isCalendarDate, isMsisdn } from '../payments/text-formats';
import { readSibling } from './body-place';
import { listAllowed } from './describe-field';
import { replaceValue, variableFor, type BodyFix, type FieldSamples } from './edit-body';
import { nearestName } from './nearest-name';
import { decodeBodyText, type BodyValue } from './read-body-tree';

/** What fixes are made of beside the body. */
export interface FixSources {
  /** Epoch milliseconds. */
  now(): number;
  uuid(): string;
  /** A value to begin with; null: none. */
  readonly sample: FieldSamples;
}

type Mend = (text: string) => string | null;

/** What somebody may have meant, by the form that a field has. */
const mends: Readonly<Partial<Record<TextFormat, Mend>>> = {
  msisdn: (text) => {
    const digits = text.replace(/\D/g, '').replace(/^00/, '');
    return isMsisdn(digits) ? digits : null;
  },
  date: (text) => {
    const [, year, month = '', day = ''] =
      /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:T.*)?$/.exec(text.trim()) ?? [];
    const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    return isCalendarDate(written) ? written : null;
  },
  currency: (text) => {
    const code = text.trim().toUpperCase();
    if (isCurrencyCode(code)) return code;
    return currencies.find(({ name }) => name.toUpperCase() === code)?.code ?? null;
  },
  country: (text) => {
    const upper = text.trim().toUpperCase();
    return toIso2(upper) === null ? findIso2ByName(text) : upper;
  },
  remittance_timestamp: (text) => mendTime('remittance_timestamp', text),
  payout_timestamp: (text) => mendTime('payout_timestamp', text),
};

function mendTime(format: TextFormat, text: string): string | null {
  const written = writeTimestamp(format, readTime(text.trim()));
  return /^\d{4}-/.test(written ?? '') ? written : null;
}

/** Reads a time; without a zone it is UTC, as the fields are. NaN: it is none, or nobody knows of which zone. */
function readTime(text: string): number {
  const plain = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/.exec(text);
  if (plain !== null) return Date.parse(`${plain[1]!}T${plain[2] ?? '00:00'}Z`);
  const hasZone = /\d:\d\d(?:\.\d+)?\s*(?:GMT|UTC|Z|[+-]\d\d:?\d\d)$/i.test(text);
  return hasZone ? Date.parse(text) : Number.NaN;
}

/** Writes a time in the form that a field has; null: the field is no time, or there is none. */
export function writeTimestamp(format: TextFormat | undefined, time: number): string | null {
  if (Number.isNaN(time)) return null;
  const whole = new Date(time).toISOString().replace(/\.\d+/, '');
  if (format === 'payout_timestamp') return whole;
  return format === 'remittance_timestamp' ? whole.replace('T', ' ').replace('Z', '') : null;
}

const NUMBER = /^\d+(?:\.\d+)?$/;

/** What would end the fault of a value: the likeliest first. */
export function fixValue(
  text: string,
  rule: FieldRule,
  owner: BodyValue,
  value: BodyValue,
  sources: FixSources,
): BodyFix[] {
  const written = value.kind === 'text' ? decodeBodyText(text, value) : text.slice(value.start, value.end);
  if (written.length > 1000) return [];
  const fix = (label: string, literal: string): BodyFix => ({ label, ...replaceValue(value, literal) });
  if (rule.type === 'integer' || rule.type === 'number') {
    const integer = toIntegerLiteral(written.trim());
    return integer === null || integer.startsWith('-') ? [] : [fix(`Write ${integer}`, integer)];
  }
  if (rule.type !== 'string') return [];
  const allowed = listAllowed(rule, (name) => readSibling(text, owner, name));
  if (allowed !== null) {
    const near = nearestName(written, allowed);
    const first = near === null ? allowed.slice(0, 3) : [near];
    return first.map((one) => fix(`Write ${one}`, JSON.stringify(one)));
  }
  // A number that only lacks its quotes stays as it is written.
  const asText = value.kind === 'bare' && NUMBER.test(written) ? written : null;
  const mended = rule.format === undefined ? asText : (mends[rule.format]?.(written) ?? null);
  const variable = variableFor(rule);
  const now = writeTimestamp(rule.format, sources.now());
  return [
    ...(mended !== null
      ? [fix(mended === asText ? 'Put it in quotes' : `Write ${mended}`, JSON.stringify(mended))]
      : []),
    ...(now === null ? [] : [fix('The time of now', JSON.stringify(now))]),
    ...(rule.isIdempotencyKey === true ? [fix('A new reference', JSON.stringify(sources.uuid()))] : []),
    ...(variable === null ? [] : [fix(`Write ${variable}`, JSON.stringify(variable))]),
  ];
}
