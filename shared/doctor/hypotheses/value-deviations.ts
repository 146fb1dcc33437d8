import { toIntegerLiteral } from '../../payments/decimal';
import { findCountry, findIso2ByName } from '../../payments/tables/countries';
import { toIso2 } from '../../payments/tables/country-codes';
import { encodeForUrl } from '../../encode-for-url';
import { encodeBase64 } from '../../signing/base64';
import { removeInvisible, replaceLookAlikes } from '../../signing/look-alikes';
import { SIGNED_FIELDS } from '../../signing/signed-fields';
import type { Cause, CauseCode } from '../causes';
import { STAGES, type Deviation, type SubjectValue, type Tier } from '../search/draft';
import { escapeBeyondAscii } from './json-styles';
import { listDigitForms, listNumberForms, listOverflows, listRoundedAlike } from './number-forms';
import { listPrintedNumbers } from './printed-numbers';
import { cutText, showText } from '../report/show-text';

const utf8 = new TextEncoder();

const AMOUNT = 1;
const COUNTRY = 2;

/** Padded, signed, with an exponent, or what Go complains of. */
const ODD_NUMBER = /[eE]|^[+%-]|^0\d/;

/** More digits are no number that anybody counts with. */
const MOST_DIGITS = 40;

const ZEROS = Array.from({ length: 12 }, (_, index) => '0'.repeat(index + 1));

interface ValueForm {
  readonly code: CauseCode;
  readonly tier: Tier;
  readonly text: string;
  readonly phrase: string;
  readonly remedy: string;
}

/**
 * Lists deviations of one signed value: its number format, country form, case, white space, quotes.
 *
 * @param values - the four signed values first
 */
export function listValueDeviations(values: readonly SubjectValue[]): Deviation[] {
  return SIGNED_FIELDS.flatMap(({ path }, index) => {
    const value = values[index]!;
    const forms = [
      ...listEarlierValues(path, value),
      ...(index === AMOUNT ? listAmountForms(path, value) : listDigits(path, value)),
      ...listLargeForms(path, value),
      ...(index === AMOUNT ? listChargedAmounts(path, value) : []),
      ...(index === AMOUNT ? listOddAmounts(path, value, currencyOf(values)) : []),
      ...(index === COUNTRY ? listCountryForms(path, value) : []),
      ...listTextForms(path, value, index),
    ];
    const seen = new Set([value.text]);
    return forms
      .filter(({ text }) => !seen.has(text) && seen.add(text))
      .map((form) => toDeviation(index, value, form));
  });
}

function toDeviation(index: number, value: SubjectValue, form: ValueForm): Deviation {
  return {
    stage: STAGES.value,
    slot: `value:${index}`,
    tier: form.tier,
    apply: (draft) => void (draft.values[index] = form.text),
    explain: (): Cause[] => [
      { code: form.code, phrase: form.phrase, remedy: form.remedy, expected: value.text, actual: form.text },
    ],
  };
}

function listAmountForms(path: string, { text }: SubjectValue): ValueForm[] {
  const { forms, commonCount } = listNumberForms(text);
  return forms.map((form, index) => ({
    code: 'number.format',
    tier: index < commonCount ? 'common' : ODD_NUMBER.test(form) ? 'rare' : 'usual',
    text: form,
    phrase: `with the amount as ${form}`,
    remedy: `sign ${path} as it is sent, ${text}`,
  }));
}

/** What 32 or 64 bits make of a large number, and what floating point makes of the body's. */
function listLargeForms(path: string, { text, isString }: SubjectValue): ValueForm[] {
  const integer = toIntegerLiteral(text);
  if (integer === null || integer.length > MOST_DIGITS || (isString && !/amount$/.test(path))) return [];
  const name = path.slice(path.indexOf('.') + 1).replace(/^amount$/, 'the amount');
  const overflows = listOverflows(integer).map(({ text: form, bits }): ValueForm => ({
    code: 'number.format',
    tier: 'usual',
    text: form,
    phrase: `with ${name} as ${form}, all that an integer of ${bits} bits holds of it`,
    remedy: `sign ${path} as it is sent, ${text}, and read it as a text or as an integer of any size`,
  }));
  const rounded = listRoundedAlike(integer).map((form): ValueForm => ({
    code: 'number.format',
    tier: 'alone',
    text: form,
    phrase: `with ${name} as ${form}, which floating point takes for the ${text} of the body`,
    remedy: 'sign and send the same digits: floating point does not hold each integer above 2^53',
  }));
  return [...overflows, ...rounded];
}

/** A reference of digits alone that was made a number of: zeros in front are lost, and long ones rounded. */
function listDigits(path: string, { text, isString }: SubjectValue): ValueForm[] {
  if (!/^\d+$/.test(text) || text.length > MOST_DIGITS) return [];
  const name = path.slice(path.indexOf('.') + 1);
  if (!isString)
    return ZEROS.map((zeros) => ({
      code: 'number.format',
      tier: 'alone',
      text: zeros + text,
      phrase: `with ${name} as ${zeros}${text}, whose zeros in front the number ${text} of the body has lost`,
      remedy: `send ${path} as a text, in quotes, as it is signed`,
    }));
  if (!/^0|\d{10}/.test(text)) return [];
  return listDigitForms(text).map((form, index) => ({
    code: 'number.format',
    tier: index === 0 ? 'usual' : 'alone',
    text: form,
    phrase: `with ${name} as ${form}, the number that was made of it`,
    remedy: `sign ${path} as it is sent, ${text}, and keep it a text`,
  }));
}

/** What stands in the body under a key that comes again: some readers take the first. @source RFC 8259 §4 */
function listEarlierValues(path: string, { text, earlier = [] }: SubjectValue): ValueForm[] {
  return earlier.map((form) => ({
    code: 'string.field_extra',
    tier: 'common',
    text: form,
    phrase: `with ${showText(form)}, where ${path} stands more than once in the body`,
    remedy: `send ${path} once; where it comes again the last counts, ${showText(text)}`,
  }));
}

function currencyOf(values: readonly SubjectValue[]): string {
  return values.find(({ path }) => path === 'transaction.currency')?.text ?? '';
}

/** With charges of 1 % on top. */
function listChargedAmounts(path: string, { text }: SubjectValue): ValueForm[] {
  if (!/^\d{1,12}(?:\.\d+)?$/.test(text)) return [];
  const more = Math.round(Number(text) * 101) / 100;
  return [...new Set([String(more), more.toFixed(2)])].map((form) => ({
    code: 'number.format',
    tier: 'usual',
    text: form,
    phrase: `with the amount as ${form}, 1 % more`,
    remedy: `sign ${path} as it is sent, ${text}`,
  }));
}

function listOddAmounts(path: string, { text }: SubjectValue, currency: string): ValueForm[] {
  return listPrintedNumbers(text, currency).map((form) => ({
    code: 'number.format',
    tier: 'alone',
    text: form,
    phrase: `with the amount as ${form}`,
    remedy: `sign ${path} as it is sent, ${text}`,
  }));
}

function listCountryForms(path: string, { text }: SubjectValue): ValueForm[] {
  const iso2 = toIso2(text) ?? findIso2ByName(text);
  const forms = new Set([text.toUpperCase(), text.toLowerCase()]);
  const country = iso2 === null ? undefined : findCountry(iso2);
  if (country !== undefined) {
    for (const form of [country.iso2, country.iso3]) forms.add(form).add(form.toLowerCase());
    forms.add(country.numeric).add(country.name);
  }
  const commonCount = forms.size;
  if (country !== undefined) {
    const { name, numeric } = country;
    forms.add(String(Number(numeric)));
    for (const form of [country.iso2, country.iso3, name]) {
      forms.add(form).add(form.toLowerCase()).add(form.toUpperCase());
      forms.add(form[0]! + form.slice(1).toLowerCase());
    }
  }
  return [...forms].map((form, index) => ({
    code: 'country.form',
    tier: index < commonCount ? 'common' : 'usual',
    text: form,
    phrase: `with the country as ${form}`,
    remedy: `sign ${path} as it is sent, ${text}`,
  }));
}

/** What languages print where there is no value, or no text; the first ones are met most often. */
const NO_VALUES = ['undefined', 'null', 'None', 'nil', 'NaN', '[object Object]', '<nil>', '[object Promise]', 'Array', '%!s(MISSING)', '%!v(MISSING)', '%!s(<nil>)', '%!d(MISSING)'] as const; // prettier-ignore
const FIRST_NO_VALUES = 6;

/** Where the quotes around one value fill nothing in. */
const UNFILLED = ['{_}', '${_}', '$_', '{$_}', '{{_}}', '#{_}', '%(_)s', '_'];
const UNFILLED_VERBS = ['%s', '%d', '%v', '{}'];

function listUnfilled(name: string): string[] {
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const forms = [name, camel].flatMap((one) => UNFILLED.map((form) => form.replace('_', () => one)));
  return [...new Set([...forms, ...UNFILLED_VERBS])];
}

function listTextForms(path: string, value: SubjectValue, index: number): ValueForm[] {
  const { text, raw } = value;
  const asSent = `sign ${path} as it is sent, ${showText(text)}`;
  const asDecoded = `sign ${path} without quotes or escapes, ${cutText(text)}`;
  const name = path.slice(path.indexOf('.') + 1);
  const forms: ValueForm[] = [];
  const add = (
    code: CauseCode,
    form: string,
    phrase: string,
    remedy = asSent,
    tier: Tier = 'usual',
  ): void => {
    forms.push({ code, tier, text: form, phrase, remedy });
  };
  add('string.case', text.toLowerCase(), `with ${name} in lower case`, asSent, 'common');
  add('string.case', text.toUpperCase(), `with ${name} in upper case`, asSent, 'common');
  add('string.white_space', text.trim(), `with ${name} trimmed`);
  add('string.white_space', text.trimStart(), `with ${name} trimmed at its start`);
  add('string.white_space', text.trimEnd(), `with ${name} trimmed at its end`);
  add('string.white_space', text.replace(/\s+/g, ' '), `with white space in ${name} collapsed`);
  add('string.white_space', text.replace(/\s+/g, ''), `with white space taken out of ${name}`);
  add('string.white_space', ` ${text}`, `with a space before ${name}`);
  add('string.white_space', `${text} `, `with a space after ${name}`, asSent, 'common');
  add('string.line_end', text.replace(/\r\n?/g, '\n'), `with line ends of ${name} as LF`);
  add('string.line_end', text.replace(/\r?\n/g, '\r\n'), `with line ends of ${name} as CRLF`);
  add('string.line_end', `${text}\n`, `with a line feed after ${name}`);
  add('string.white_space', removeInvisible(text), `with invisible characters taken out of ${name}`);
  add('string.charset', replaceLookAlikes(text), `with look-alike characters in ${name} replaced`);
  add('string.quoted', raw, `with ${name} as JSON text, its escapes not decoded`, asDecoded);
  add('string.quoted', JSON.stringify(text).slice(1, -1), `with ${name} escaped as JSON text`, asDecoded);
  add(
    'string.quoted',
    escapeBeyondAscii(JSON.stringify(text).slice(1, -1)),
    `with ${name} escaped as JSON text`,
    asDecoded,
  );
  add('string.quoted', `"${text}"`, `with ${name} in quotes`, asDecoded, 'common');
  add('string.quoted', `'${text}'`, `with ${name} in single quotes`, asDecoded);
  add('string.quoted', `b'${text}'`, `with ${name} as Python writes bytes (b'…')`, asDecoded);
  add('string.charset', encodeBase64(utf8.encode(text)), `with ${name} as Base64`);
  add('string.charset', encodeForUrl(text), `with ${name} percent-encoded`);
  if (index !== AMOUNT) {
    add('string.separator', text.replace(/[-_]/g, ''), `with dashes and underscores taken out of ${name}`);
    add('string.separator', text.replaceAll('-', '_'), `with underscores for the dashes of ${name}`);
    add('string.separator', text.replaceAll('_', '-'), `with dashes for the underscores of ${name}`);
  }
  const unfilled = index === AMOUNT ? [...listUnfilled(name), '0'] : listUnfilled(name);
  for (const [at, word] of [...NO_VALUES, ...unfilled].entries()) {
    const phrase = `with “${word}” in place of ${name}`;
    const remedy = `read ${path} from the body before signing`;
    add('string.field_missing', word, phrase, remedy, at < FIRST_NO_VALUES ? 'rare' : 'alone');
  }
  add('string.quoted', `Optional[${text}]`, `with ${name} as Java prints an Optional`, asSent, 'alone');
  add('string.quoted', `Optional("${text}")`, `with ${name} as Swift prints an Optional`, asSent, 'alone');
  add('string.quoted', `Some("${text}")`, `with ${name} as Rust prints an Option`, asSent, 'alone');
  add('string.quoted', `%!d(string=${text})`, `with ${name} as Go prints a text under %d`, asSent, 'alone');
  add(
    'string.quoted',
    `%!(EXTRA string=${text})`,
    `with ${name} as Go prints what its format has no verb for`,
    asSent,
    'alone',
  );
  add('string.white_space', `${text}\t`, `with a tab after ${name}`, asSent, 'alone');
  add('string.white_space', `${text}\r`, `with a carriage return after ${name}`, asSent, 'alone');
  add('string.white_space', `${text}\u00a0`, `with a no-break space after ${name}`, asSent, 'alone');
  return forms;
}
