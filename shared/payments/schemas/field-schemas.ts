import { countryCodes } from '../tables/country-codes';
import { currencies } from '../tables/currencies';
import type { AnswerField, FieldRule, TextFormat } from '../tables/fields';

/** A JSON Schema, draft 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const DAY = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';
const UTC = `${DAY}T${TIME}(\\.[0-9]+)?Z`;

const formats: Readonly<Record<TextFormat, JsonSchema>> = {
  uri: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' },
  callback_uri: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' },
  msisdn: { pattern: '^[1-9][0-9]{6,14}$', examples: ['254700000000'] },
  date: { format: 'date', pattern: `^${DAY}$` },
  currency: { enum: currencies.map(({ code }) => code), examples: ['KES'] },
  country: { enum: countryCodes.flatMap(({ iso2, iso3 }) => [iso2, iso3]), examples: ['KE', 'KEN'] },
  remittance_timestamp: { pattern: `^(${DAY} ${TIME}|${UTC})$`, examples: ['2030-01-31 12:00:00'] },
  payout_timestamp: { pattern: `^${UTC}$`, examples: ['2030-01-31T12:00:00Z'] },
  email: { pattern: '^[^@\\s]+@[^@\\s]+$' },
};

/** Writes the schema of a request body from its field table. */
export function describeBody(fields: readonly FieldRule[]): JsonSchema {
  return describeFields(fields);
}

function describeFields(fields: readonly FieldRule[]): JsonSchema {
  const required = fields.filter((field) => field.isRequired).map((field) => field.name);
  const conditions = fields.flatMap(describeConditions);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, describeField(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...(conditions.length > 0 ? { allOf: conditions } : {}),
  };
}

function describeField(field: FieldRule): JsonSchema {
  const description = field.note;
  if (field.fields) return { ...describeFields(field.fields), description };
  if (field.type === 'object') return { type: 'object', description };
  if (field.type === 'number') return { type: 'number', description };
  if (field.type === 'integer') {
    return { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description };
  }
  if (field.allowed) return { type: 'string', enum: field.allowed, description };
  if (field.allowedBy)
    return { type: 'string', enum: Object.values(field.allowedBy.values).flat(), description };
  if (field.format) return { type: 'string', ...formats[field.format], description };
  return { type: 'string', ...(field.isRequired ? { minLength: 1 } : {}), description };
}

/** A field whose values hang on the one beside it: one condition for each value of that one. */
function describeConditions({ name, allowedBy }: FieldRule): JsonSchema[] {
  if (!allowedBy) return [];
  return Object.entries(allowedBy.values).map(([type, values]) => ({
    if: { properties: { [allowedBy.sibling]: { const: type } }, required: [allowedBy.sibling] },
    then: { properties: { [name]: { enum: values } } },
  }));
}

const answerFormats: Readonly<Record<NonNullable<AnswerField['format']>, JsonSchema>> = {
  utc: { format: 'date-time', pattern: `^${UTC}$` },
  numeric: { pattern: '^[0-9]+$' },
  currency: { pattern: '^[A-Z]{3}$' },
  uri: { format: 'uri' },
};

/** Writes the schema of a record in an answer; fields that the table does not name are not allowed. */
export function describeRecord(fields: readonly AnswerField[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, describeAnswerField(field)])),
    required: fields.filter((field) => field.isRequired).map((field) => field.name),
    additionalProperties: false,
  };
}

function describeAnswerField({ type, isNullable, allowed, format, note }: AnswerField): JsonSchema {
  return {
    type: isNullable ? [type, 'null'] : type,
    ...(allowed ? { enum: allowed } : {}),
    ...(format ? answerFormats[format] : {}),
    description: note,
  };
}
