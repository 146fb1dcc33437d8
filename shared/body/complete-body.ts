import { countries } from '../payments/tables/countries';
import { currencies } from '../payments/tables/currencies';
import { findBodyRule } from '../payments/check-body';
import type { FieldRule } from '../payments/tables/fields';
import { fieldsOf, findPlace, readSibling, type BodyPlace } from './body-place';
import { describeField, listAllowed, nameCode } from './describe-field';
import { completeVariable, type Completion, type NamedVariable } from './complete-variable';
import { variableFor, writeEmptyField } from './edit-body';
import { writeTimestamp, type FixSources } from './fix-value';
import { decodeBodyText, readBodyTree } from './read-body-tree';

/** What is known beside the body. */
export interface CompletionSources extends FixSources {
  readonly variables: readonly NamedVariable[];
  /** Values that were sent before, the latest first, by the path of their field. */
  readonly used: Readonly<Partial<Record<string, readonly string[]>>>;
}

/** Above this a body is not read for a completion: it is not written by hand. */
const LONGEST_CHARS = 1024 * 1024;
/** Every country in both forms, so that none is out of the reach of the arrows. */
const MOST = 600;

/** Offers what may stand at an offset of a body as it is edited; empty: nothing is known of that place. */
export function completeBody(
  operation: string,
  text: string,
  offset: number,
  sources: CompletionSources,
): Completion[] {
  const variables = completeVariable(text, offset, sources.variables);
  if (variables !== null) return variables;
  const found = locate(operation, text, offset);
  if (found === null) return [];
  const { place, fields } = found;
  if (place.part === 'key') return completeKey(text, offset, place, fields, sources);
  const field = fields.find(({ name }) => name === place.member.key);
  return field === undefined ? [] : completeValue(text, offset, place, field, sources);
}

/** Where an offset stands, and what the interface has there; null: nothing is known of that place. */
function locate(
  operation: string,
  text: string,
  offset: number,
): { place: BodyPlace; fields: readonly FieldRule[] } | null {
  const rule = text.length > LONGEST_CHARS ? null : findBodyRule(operation);
  const place = rule && findPlace(readBodyTree(text), offset);
  const fields = rule && place && fieldsOf(rule.fields, place.path);
  return place && fields && { place, fields };
}

function completeKey(
  text: string,
  offset: number,
  { owner, member }: BodyPlace,
  fields: readonly FieldRule[],
  { sample }: CompletionSources,
): Completion[] {
  const start = member?.keyStart ?? offset;
  const end = member === null ? offset : member.keyEnd;
  const typed = text.slice(start, offset).replace(/"/g, '').toLowerCase();
  const hasValue = member !== null && member.colonEnd !== null;
  const isBeforeOther = text
    .slice(end, end + 2000)
    .trimStart()
    .startsWith('"');
  const comma = isBeforeOther ? ',' : '';
  return fields
    .filter(({ name }) => !owner.members.some((one) => one !== member && one.key === name))
    .filter(({ name }) => name.includes(typed))
    .map((field) => {
      const key = JSON.stringify(field.name);
      const value = writeEmptyField(field, sample);
      const written = hasValue ? key : `${key}: ${value}${comma}`;
      const inside = key.length + 2 + (value === '0' ? 0 : 1);
      const isToFillIn = !hasValue && ['""', '0', '{}'].includes(value);
      const detail = `${field.isRequired ? 'required' : 'optional'} · ${field.note}`;
      return {
        label: field.name,
        detail,
        start,
        end,
        text: written,
        caret: isToFillIn ? inside : written.length - comma.length,
      };
    })
    .toSorted((a, b) => Number(b.label.startsWith(typed)) - Number(a.label.startsWith(typed)));
}

function completeValue(
  text: string,
  offset: number,
  { owner, member, path }: BodyPlace & { part: 'value' },
  field: FieldRule,
  sources: CompletionSources,
): Completion[] {
  const { value } = member;
  const start = value?.start ?? offset;
  const end = value === null ? offset : value.end;
  const typed = text.slice(start, offset).replace('"', '');
  // At the end of a whole text nothing is being typed any more, but inside its quotes everything may still be meant.
  if (value?.kind === 'text' && value.isClosed && offset === end) return [];
  const gap = text[start - 1] === ':' && value === null ? ' ' : '';
  const choices = listChoices(
    field,
    [...path, field.name],
    (name) => readSibling(text, owner, name),
    sources,
  );
  return rankChoices(choices, typed).map(({ text: one, detail }) => {
    const literal = field.type === 'string' ? JSON.stringify(one) : one;
    const inserted = gap + literal;
    return { label: one, detail, start, end, text: inserted, caret: inserted.length };
  });
}

/** Those that a typed text may mean: what begins with it, then what holds a word that does. */
export function rankChoices(choices: readonly Choice[], typed: string): Choice[] {
  const wanted = typed.toLowerCase();
  const rank = ({ text, detail }: Choice): number => {
    if (text.toLowerCase().startsWith(wanted)) return 0;
    return ` ${text} ${detail}`.toLowerCase().includes(` ${wanted}`) ? 1 : 2;
  };
  const ranked = choices.map((choice) => ({ choice, rank: rank(choice) })).filter((one) => one.rank < 2);
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ choice }) => choice);
}

/** One value that a field may have. */
export interface Choice {
  readonly text: string;
  readonly detail: string;
}

/** The values that a field may have, the likeliest first: what was used before, what is allowed, what is drawn anew. */
export function listChoices(
  field: FieldRule,
  path: readonly string[],
  sibling: (name: string) => string | null,
  sources: CompletionSources,
): Choice[] {
  const used = (sources.used[path.join('.')] ?? []).map((text) => ({
    text,
    detail: [nameCode(field, text), 'used before'].filter((one) => one !== null).join(' · '),
  }));
  const now = writeTimestamp(field.format, sources.now());
  const variable = variableFor(field);
  const sample = sources.sample(field);
  const drawn = [
    ...(variable === null ? [] : [{ text: variable, detail: 'drawn at each sending' }]),
    ...(now === null ? [] : [{ text: now, detail: 'the time of now' }]),
    ...(field.isIdempotencyKey === true ? [{ text: sources.uuid(), detail: 'a new reference' }] : []),
    ...(sample === null ? [] : [{ text: sample, detail: 'variable' }]),
  ];
  const allowed = (listAllowed(field, sibling) ?? []).map((text) => ({ text, detail: 'allowed' }));
  const examples = (field.examples ?? []).map((text) => ({ text, detail: 'for example' }));
  const byText = new Map<string, Choice>();
  for (const choice of [...drawn, ...allowed, ...used, ...examples, ...listCodes(field)]) {
    if (!byText.has(choice.text)) byText.set(choice.text, choice);
  }
  return [...byText.values()];
}

function listCodes({ format }: FieldRule): Choice[] {
  if (format === 'currency') return currencies.map(({ code, name }) => ({ text: code, detail: name }));
  if (format !== 'country') return [];
  return countries.flatMap(({ iso2, iso3, name }) => [
    { text: iso2, detail: `${name}, ISO-2` },
    { text: iso3, detail: `${name}, ISO-3` },
  ]);
}

/** Says what stands at an offset: the field, what it takes, and what its value means. Null: nothing is known of it. */
export function describeBody(
  operation: string,
  text: string,
  offset: number,
): { start: number; end: number; lines: readonly string[] } | null {
  const found = locate(operation, text, offset);
  if (found === null || found.place.member === null) return null;
  const { place, fields } = found;
  const { key, value, keyStart, keyEnd } = found.place.member;
  const field = fields.find(({ name }) => name === key);
  if (field === undefined) return null;
  const written = value?.kind === 'text' ? decodeBodyText(text, value) : null;
  const range =
    place.part === 'value' && value !== null
      ? { start: value.start, end: value.end }
      : { start: keyStart, end: keyEnd };
  return { ...range, lines: describeField(field, [...place.path, field.name], written) };
}
