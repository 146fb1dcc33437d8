import type { z } from 'zod';
import type { lint } from '../contract/common';
import { findIso2ByCommonName, isCountryCode, toIso2 } from '../payments/tables/country-codes';
import { JSON_NUMBER, JSON_STRING } from '../json/json-sink';
import {
  findLookAlike,
  hasInvisible,
  nameCodePoint,
  nameFirstInvisible,
  removeInvisible,
  replaceLookAlikes,
} from './look-alikes';
import { readNumberParts } from '../json/number-literal';
import { toIntegerLiteral } from '../payments/decimal';
import { SIGNED_FIELDS, type SignedFieldFinder } from './signed-fields';

/** A change of the body text that ends a warning. Offsets: UTF-16 units of the body. */
export interface LintFix {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A warning about a signed field: nothing is wrong yet, but two readers may sign different bytes. */
export type Lint = z.infer<typeof lint> & {
  /** Where in the body, UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly fix?: LintFix;
};

/** One signed value as the rules see it. */
interface LintedValue {
  readonly path: string;
  readonly pointer: string;
  readonly isString: boolean;
  /** Decoded text of a string, literal of a number. */
  readonly text: string;
  readonly hasEscape: boolean;
  readonly start: number;
  readonly end: number;
}

interface Finding {
  readonly code: string;
  readonly message: string;
  /** Label, and the value's text that replaces it; `isNumber` drops the quotes. */
  readonly fix?: { label: string; text: string; isNumber?: boolean };
}

type Rule = (value: LintedValue) => Finding | null;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const RULES: readonly Rule[] = [
  ({ path, text }) => {
    const variable = /\{\{[^{}]*\}\}/.exec(text);
    if (variable === null) return null;
    return {
      code: 'unresolved_variable',
      message: `${path} still holds ${variable[0]}. Give the variable a value, or it is signed as it stands.`,
    };
  },
  ({ path, text, hasEscape }) => {
    if (!hasEscape) return null;
    return {
      code: 'escape',
      message: `${path} is written with escapes. Its decoded text is signed, not what stands between the quotes.`,
      // eslint-disable-next-line no-control-regex -- JSON cannot hold these without an escape
      ...(/["\\\u0000-\u001f]/.test(text) ? {} : { fix: { label: 'Write without escapes', text } }),
    };
  },
  ({ path, text }) => {
    if (text === text.trim()) return null;
    return {
      code: 'edge_white_space',
      message: `${path} begins or ends with white space, which is signed too.`,
      fix: { label: 'Trim', text: text.trim() },
    };
  },
  ({ path, text }) => {
    const inner = text.trim();
    if (!hasInvisible(inner)) return null;
    return {
      code: 'invisible_character',
      message: `${path} holds ${nameFirstInvisible(inner)}, a character that cannot be seen.`,
      fix: { label: 'Remove invisible characters', text: removeInvisible(text) },
    };
  },
  ({ path, text }) => {
    if (!/\p{Cs}/u.test(text)) return null;
    return {
      code: 'lone_surrogate',
      message: `${path} holds half of a surrogate pair, which UTF-8 cannot write: readers replace it differently.`,
    };
  },
  ({ path, text }) => {
    const found = findLookAlike(text);
    if (found === null) return null;
    const name = nameCodePoint(found.found.codePointAt(0) ?? 0);
    return {
      code: 'look_alike_character',
      message: `${path} holds '${found.found}' (${name}), which looks like '${found.like}' and is another character.`,
      fix: { label: `Write '${found.like}'`, text: replaceLookAlikes(text) },
    };
  },
];

const AMOUNT_RULES: readonly Rule[] = [
  ({ path, text, isString }) => {
    if (!isString) return null;
    if (readNumberParts(text) === null)
      return {
        code: 'amount_not_number',
        message: `${path} is no number: it is a text. Write digits alone, such as 1500, without quotes.`,
      };
    const message = `${path} is a quoted amount. The interface asks for a number.`;
    return { code: 'amount_quoted', message, fix: { label: 'Unquote', text, isNumber: true } };
  },
  ({ path, text, isString }) => {
    const parts = readNumberParts(text);
    if (parts === null || (!parts.hasFraction && !parts.hasExponent)) return null;
    const integer = toIntegerLiteral(text);
    const code = parts.hasExponent ? 'amount_exponent' : 'amount_not_integer';
    const what = parts.hasExponent ? 'written with an exponent' : 'not an integer';
    return {
      code,
      message: `${path} is ${what}. It is signed as written, ${text}, and many readers write it differently.`,
      ...(integer === null ? {} : { fix: { label: `Write ${integer}`, text: integer, isNumber: !isString } }),
    };
  },
  ({ path, text }) => {
    const integer = toIntegerLiteral(text);
    const digits = integer?.replace('-', '') ?? '';
    const isHuge = integer === null && (readNumberParts(text)?.exponent ?? 0) > 15;
    if (!isHuge && (digits.length < 16 || BigInt(digits) <= MAX_SAFE)) return null;
    return {
      code: 'amount_too_large',
      message: `${path} is beyond 2^53: readers that use floating point round it, and sign another number.`,
    };
  },
];

const COUNTRY_RULES: readonly Rule[] = [
  ({ path, text }) => {
    if (isCountryCode(text) || text.includes('{{')) return null;
    const iso2 = toIso2(text) ?? findIso2ByCommonName(text);
    return {
      code: 'country_form',
      message: `${path} is '${text}', neither an ISO-2 nor an ISO-3 country code.`,
      ...(iso2 === null ? {} : { fix: { label: `Insert ${iso2}`, text: iso2 } }),
    };
  },
];

const FIELD_RULES: readonly (readonly Rule[])[] = [
  RULES,
  [...RULES, ...AMOUNT_RULES],
  [...RULES, ...COUNTRY_RULES],
  RULES,
];

/**
 * Warns about signed fields that are valid JSON and yet likely to be signed differently by someone else.
 *
 * @param finder - what a scan of this body has found
 */
export function lintFound(body: string, finder: SignedFieldFinder): Lint[] {
  const lints = lintRepeats(body, finder);
  for (let index = 0; index < 4; index += 1) {
    const kind = finder.kinds[index];
    if (kind !== JSON_STRING && kind !== JSON_NUMBER) continue;
    const { path, pointer } = SIGNED_FIELDS[index]!;
    const value: LintedValue = {
      path,
      pointer,
      isString: kind === JSON_STRING,
      text: finder.valueOf(index),
      hasEscape: finder.escapes[index]!,
      start: finder.starts[index]!,
      end: finder.ends[index]!,
    };
    for (const rule of FIELD_RULES[index]!) {
      const finding = rule(value);
      if (finding !== null) lints.push(toLint(value, finding));
    }
  }
  return lints;
}

function lintRepeats(body: string, finder: SignedFieldFinder): Lint[] {
  const lints: Lint[] = [];
  for (let at = 0; at < finder.repeats.length; at += 2) {
    const start = finder.repeats[at]!;
    const end = finder.repeats[at + 1]!;
    const key = body.slice(start, end);
    lints.push({
      code: 'duplicate_key',
      message: `"${key}" stands more than once. The last one is signed here; other readers take the first.`,
      pointer: SIGNED_FIELDS.find(({ pointer }) => pointer.endsWith(`/${key}`))?.pointer ?? `/${key}`,
      start,
      end,
    });
  }
  return lints;
}

function toLint(value: LintedValue, { code, message, fix }: Finding): Lint {
  const { pointer, start, end } = value;
  if (fix === undefined) return { code, message, pointer, start, end };
  const dropsQuotes = value.isString && fix.isNumber === true;
  return {
    code,
    message,
    pointer,
    start,
    end,
    fix: {
      label: fix.label,
      start: dropsQuotes ? start - 1 : start,
      end: dropsQuotes ? end + 1 : end,
      replacement: value.isString && !dropsQuotes ? escapeJsonText(fix.text) : fix.text,
    },
  };
}

function escapeJsonText(text: string): string {
  // `JSON.stringify` writes text, it reads no value: nothing of the body passes through a parser here.
  return JSON.stringify(text).slice(1, -1);
}
