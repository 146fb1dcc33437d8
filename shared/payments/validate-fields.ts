import { isCountryCode } from './tables/country-codes';
import { isCurrencyCode } from './tables/currencies';
import type { FieldRule, InitiationName, TextFormat } from './tables/fields';
import { initiationFields, sendTestFields, statusQueryFields, tokenFields } from './tables/fields';
import { readAmount } from './read-amount';
import {
  isCalendarDate,
  isEmail,
  isLoopbackName,
  isMsisdn,
  isPlainTimestamp,
  isUtcTimestamp,
  readWebUrl,
} from './text-formats';
import { isRecord } from '../json/is-record';

/** One refused field: its path, such as `recipient.account`, and what is expected there. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** What the caller knows beyond the parsed body. */
export interface FieldContext {
  /** `transaction.amount` as written; lets the check see exactly what was sent. */
  readonly amountLiteral?: string;
  /** Whether a callback to this host may go over plain http, apart from loopback. Host as in a URL, no port. */
  readonly allowsPlainHttp?: (hostname: string) => boolean;
}

/** Judges one value; null when it is fine, else the message. */
type Check = (
  value: unknown,
  owner: Readonly<Record<string, unknown>>,
  context: FieldContext,
) => string | null;

interface CompiledField {
  readonly name: string;
  readonly path: string;
  readonly isRequired: boolean;
  readonly missing: string;
  readonly check: Check;
  readonly fields: readonly CompiledField[] | null;
}

const none: readonly FieldError[] = Object.freeze([]);
const noContext: FieldContext = Object.freeze({});
/** U+0000 and lone halves of surrogate pairs: stores cut at the one, and UTF-8 makes all of the others alike. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const unstorable =
  'must be text without U+0000 and without half of a surrogate pair: neither can be kept as sent';
const NOT_TEXT = 'must be text (a JSON string)';

const callbackMessage =
  'must be an absolute https address; plain http is taken only for this machine and for hosts allowed by name';

function isCallbackUrl(text: string, context: FieldContext): boolean {
  const url = readWebUrl(text);
  if (!url) return false;
  return (
    url.protocol === 'https:' ||
    isLoopbackName(url.hostname) ||
    (context.allowsPlainHttp?.(url.hostname) ?? false)
  );
}

const formats: Readonly<
  Record<TextFormat, { isValid: (text: string, context: FieldContext) => boolean; message: string }>
> = {
  uri: {
    isValid: (text) => readWebUrl(text) !== null,
    message: 'must be an absolute http or https address, such as https://example.com/webhooks',
  },
  callback_uri: { isValid: isCallbackUrl, message: callbackMessage },
  msisdn: {
    isValid: isMsisdn,
    message:
      'must be a phone number in digits with its country prefix and no plus sign, such as 254700000000',
  },
  date: {
    isValid: isCalendarDate,
    message: 'must be a day of the calendar as YYYY-MM-DD, such as 1990-12-31',
  },
  currency: { isValid: isCurrencyCode, message: 'must be an ISO 4217 code in capitals, such as KES' },
  country: {
    isValid: isCountryCode,
    message: 'must be an ISO 3166-1 code of two or three capital letters, such as KE or KEN',
  },
  remittance_timestamp: {
    isValid: (text) => isPlainTimestamp(text) || isUtcTimestamp(text),
    message: 'must be a UTC time as YYYY-MM-DD HH:mm:ss, such as 2030-01-31 12:00:00',
  },
  payout_timestamp: {
    isValid: isUtcTimestamp,
    message: 'must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z',
  },
  email: { isValid: isEmail, message: 'must be an email address, such as name@example.com' },
};

/** Says what a value of this form must be, in the words of the check. */
export function describeFormat(format: TextFormat): string {
  return formats[format].message;
}

function list(values: readonly string[]): string {
  return values.length === 1 ? values[0]! : `one of ${values.join(', ')}`;
}

function compileAllowed(values: readonly string[]): Check {
  const taken = new Set<unknown>(values);
  const message = `must be ${list(values)}`;
  return (value) =>
    taken.has(value) ? null : typeof value === 'string' ? message : `${NOT_TEXT}: it ${message}`;
}

function compileAllowedBy({ sibling, values }: NonNullable<FieldRule['allowedBy']>): Check {
  const bySibling = new Map<unknown, Check>();
  for (const [type, taken] of Object.entries(values)) {
    const check = compileAllowed(taken);
    bySibling.set(type, (value, owner, context) => {
      const message = check(value, owner, context);
      return message === null ? null : `${message} when ${sibling} is ${type}`;
    });
  }
  const any = compileAllowed(Object.values(values).flat());
  return (value, owner, context) => (bySibling.get(owner[sibling]) ?? any)(value, owner, context);
}

function checkInteger(value: unknown, _owner: unknown, context: FieldContext): string | null {
  if (typeof value !== 'number') {
    return 'must be a whole number in major currency units, without quotes, such as 1000';
  }
  const { amountLiteral } = context;
  const amount =
    amountLiteral === undefined ? (Number.isSafeInteger(value) ? value : null) : readAmount(amountLiteral);
  if (amount !== null) return amount > 0 ? null : 'must be above zero';
  return Math.abs(value) > Number.MAX_SAFE_INTEGER
    ? `must be at most ${Number.MAX_SAFE_INTEGER}: larger amounts cannot be kept exactly`
    : 'must be a whole number in major currency units, such as 1000';
}

function compileText(rule: FieldRule): Check {
  const empty = 'must not be empty';
  if (!rule.format) {
    return (value) => {
      if (typeof value !== 'string') return NOT_TEXT;
      if (value === '' && rule.isRequired) return empty;
      return UNSTORABLE.test(value) ? unstorable : null;
    };
  }
  const { isValid, message } = formats[rule.format];
  return (value, _owner, context) => {
    if (typeof value !== 'string') return `${NOT_TEXT}: it ${message}`;
    if (isValid(value, context)) return null;
    return value === '' ? `${empty}: it ${message}` : message;
  };
}

function checkNumber(value: unknown): string | null {
  return typeof value === 'number' ? null : 'must be a number, without quotes';
}

function checkObject(value: unknown): string | null {
  return isRecord(value) ? null : 'must be an object of keys and values';
}

function compileCheck(rule: FieldRule): Check {
  if (rule.type === 'object') return checkObject;
  if (rule.type === 'integer') return checkInteger;
  if (rule.type === 'number') return checkNumber;
  if (rule.allowed) return compileAllowed(rule.allowed);
  if (rule.allowedBy) return compileAllowedBy(rule.allowedBy);
  return compileText(rule);
}

function compile(rules: readonly FieldRule[], prefix: string): readonly CompiledField[] {
  return rules.map((rule) => {
    const path = prefix === '' ? rule.name : `${prefix}.${rule.name}`;
    const required = rule.fields?.filter((field) => field.isRequired).map((field) => field.name);
    return {
      name: rule.name,
      path,
      isRequired: rule.isRequired,
      missing: required ? `is required: an object with ${required.join(', ')}` : 'is required',
      check: compileCheck(rule),
      fields: rule.fields ? compile(rule.fields, path) : null,
    };
  });
}

/** Collects errors into `found`, which exists only once there is one. */
function collect(
  fields: readonly CompiledField[],
  owner: Readonly<Record<string, unknown>>,
  context: FieldContext,
  before: FieldError[] | null,
): FieldError[] | null {
  let found = before;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    const value = owner[field.name];
    if (value === undefined) {
      if (field.isRequired) (found ??= []).push({ field: field.path, message: field.missing });
      continue;
    }
    const message = field.check(value, owner, context);
    if (message !== null) (found ??= []).push({ field: field.path, message });
    else if (field.fields) {
      found = collect(field.fields, value as Readonly<Record<string, unknown>>, context, found);
    }
  }
  return found;
}

function validate(
  fields: readonly CompiledField[],
  value: unknown,
  context: FieldContext,
): readonly FieldError[] {
  if (!isRecord(value)) return [{ field: 'body', message: 'must be a JSON object' }];
  return collect(fields, value, context, null) ?? none;
}

const initiations: Readonly<Record<InitiationName, readonly CompiledField[]>> = {
  remittance: compile(initiationFields.remittance, ''),
  payout: compile(initiationFields.payout, ''),
  collection: compile(initiationFields.collection, ''),
};
const sendTest = compile(sendTestFields, '');
const token = compile(tokenFields, '');
const statusQuery = compile(statusQueryFields, '');

/**
 * Checks the body of an initiation against its field table and reports every fault at once.
 *
 * Fields that the interface does not name are let through. Where nothing is wrong, one shared empty list is
 * returned and nothing is allocated: the sandbox calls this for each request.
 *
 * @param operation - which table applies
 * @param value - the body as `JSON.parse` gives it
 * @param known - the amount's literal, or that and more
 * @returns faults in the order of the tables; empty when there are none
 * @source payments-service-interface, parts 2.1, 2.2 and 7.1; assumptions A2 and A9
 */
export function validateInitiation(
  operation: InitiationName,
  value: unknown,
  known?: string | FieldContext,
): readonly FieldError[] {
  const context =
    known === undefined ? noContext : typeof known === 'string' ? { amountLiteral: known } : known;
  return validate(initiations[operation], value, context);
}

/** Checks the body of the webhook simulator. @source payments-service-interface, part 4.5 */
export function validateSendTest(value: unknown): readonly FieldError[] {
  return validate(sendTest, value, noContext);
}

/** Checks the body of the token request. @source assumption A1 */
export function validateTokenRequest(value: unknown): readonly FieldError[] {
  return validate(token, value, noContext);
}

/** Checks the body of a status query: exactly one identifying field, not empty. @source part 4.3 */
export function validateStatusQuery(value: unknown): readonly FieldError[] {
  const faults = validate(statusQuery, value, noContext);
  if (faults.length > 0 || !isRecord(value)) return faults;
  const given = statusQuery.filter((field) => value[field.name] !== undefined);
  const names = statusQuery.map((field) => field.name).join(', ');
  if (given.length === 0)
    return [{ field: 'body', message: `must name the payment by exactly one of ${names}` }];
  if (given.length > 1) {
    return given.map((field) => ({
      field: field.name,
      message: `must stand alone: send exactly one of ${names}`,
    }));
  }
  const only = given[0]!;
  return value[only.name] === '' ? [{ field: only.name, message: 'must not be empty' }] : none;
}
