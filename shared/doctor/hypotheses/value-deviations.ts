import { countries, findCountry, toIso2, toIso3 } from '../../payments/tables/countries';
import { removeInvisible, replaceLookAlikes } from '../../signing/look-alikes';
import { SIGNED_FIELDS } from '../../signing/signed-fields';
import type { Cause, CauseCode } from '../causes';
import { STAGES, type Deviation, type SubjectValue } from '../search/draft';
import { listNumberForms } from './number-forms';
import { showText } from '../report/show-text';

const AMOUNT = 1;
const COUNTRY = 2;

interface ValueForm {
  readonly code: CauseCode;
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
      ...(index === AMOUNT ? listAmountForms(path, value) : []),
      ...(index === COUNTRY ? listCountryForms(path, value) : []),
      ...listTextForms(path, value),
    ];
    return forms.map((form) => toDeviation(index, value, form));
  });
}

function toDeviation(index: number, value: SubjectValue, form: ValueForm): Deviation {
  return {
    stage: STAGES.value,
    slot: `value:${index}`,
    apply: (draft) => void (draft.values[index] = form.text),
    explain: (): Cause[] => [
      { code: form.code, phrase: form.phrase, remedy: form.remedy, expected: value.text, actual: form.text },
    ],
  };
}

function listAmountForms(path: string, { text }: SubjectValue): ValueForm[] {
  return listNumberForms(text).map((form) => ({
    code: 'number.format',
    text: form,
    phrase: `with the amount as ${form}`,
    remedy: `sign ${path} as it is sent, ${text}`,
  }));
}

function listCountryForms(path: string, { text }: SubjectValue): ValueForm[] {
  const iso2 =
    toIso2(text) ?? countries.find(({ name }) => name.toLowerCase() === text.trim().toLowerCase())?.iso2;
  const forms = new Set([text.toUpperCase(), text.toLowerCase()]);
  if (iso2 !== undefined) {
    const iso3 = toIso3(iso2) ?? iso2;
    for (const form of [iso2, iso3, findCountry(iso2)?.name ?? iso2]) {
      forms.add(form).add(form.toLowerCase()).add(form.toUpperCase());
      forms.add(form[0]! + form.slice(1).toLowerCase());
    }
  }
  forms.delete(text);
  return [...forms].map((form) => ({
    code: 'country.form',
    text: form,
    phrase: `with the country as ${form}`,
    remedy: `sign ${path} as it is sent, ${text}`,
  }));
}

function listTextForms(path: string, value: SubjectValue): ValueForm[] {
  const { text, raw } = value;
  const asSent = `sign ${path} as it is sent, ${showText(text)}`;
  const name = path.slice(path.indexOf('.') + 1);
  const forms: ValueForm[] = [];
  const add = (code: CauseCode, form: string, phrase: string, remedy = asSent): void => {
    forms.push({ code, text: form, phrase, remedy });
  };
  add('string.case', text.toLowerCase(), `with ${name} in lower case`);
  add('string.case', text.toUpperCase(), `with ${name} in upper case`);
  add('string.white_space', text.trim(), `with ${name} trimmed`);
  add('string.white_space', text.trimStart(), `with ${name} trimmed at its start`);
  add('string.white_space', text.trimEnd(), `with ${name} trimmed at its end`);
  add('string.white_space', text.replace(/\s+/g, ' '), `with white space in ${name} collapsed`);
  add('string.white_space', text.replace(/\s+/g, ''), `with white space taken out of ${name}`);
  add('string.white_space', ` ${text}`, `with a space before ${name}`);
  add('string.white_space', `${text} `, `with a space after ${name}`);
  add('string.line_end', text.replace(/\r\n?/g, '\n'), `with line ends of ${name} as LF`);
  add('string.line_end', text.replace(/\r?\n/g, '\r\n'), `with line ends of ${name} as CRLF`);
  add('string.line_end', `${text}\n`, `with a line feed after ${name}`);
  add('string.white_space', removeInvisible(text), `with invisible characters taken out of ${name}`);
  add('string.charset', replaceLookAlikes(text), `with look-alike characters in ${name} replaced`);
  add('string.quoted', raw, `with ${name} as JSON text, its escapes not decoded`);
  add('string.quoted', JSON.stringify(text).slice(1, -1), `with ${name} escaped as JSON text`);
  add('string.quoted', escapeBeyondAscii(text), `with ${name} escaped as JSON text`);
  add('string.quoted', `"${text}"`, `with ${name} in quotes`);
  add('string.quoted', `'${text}'`, `with ${name} in single quotes`);
  for (const word of ['undefined', 'null', 'None', 'nil', 'NaN', '[object Object]']) {
    add(
      'string.field_missing',
      word,
      `with “${word}” in place of ${name}`,
      `read ${path} from the body before signing`,
    );
  }
  return forms;
}

function escapeBeyondAscii(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
