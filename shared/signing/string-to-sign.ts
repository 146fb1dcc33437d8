import type { z } from 'zod';
import type { signedSpan } from '../contract/common';
import { AppError } from '../errors';
import {
  JSON_ARRAY,
  JSON_FALSE,
  JSON_NULL,
  JSON_NUMBER,
  JSON_OBJECT,
  JSON_STRING,
  JSON_TRUE,
} from '../json/json-sink';
import { findSignedFields, SIGNED_FIELDS, type SignedFieldFinder } from './signed-fields';

/** One of the four values in the string to sign, tied to its place in the body (inside the quotes of a string). */
export type SignedSpan = z.infer<typeof signedSpan>;

/** The string to sign and where each part of it comes from. */
export interface StringToSign {
  readonly text: string;
  readonly spans: SignedSpan[];
}

const KIND_NAMES: Readonly<Record<number, string>> = {
  [JSON_TRUE]: 'true',
  [JSON_FALSE]: 'false',
  [JSON_NULL]: 'null',
  [JSON_OBJECT]: 'an object',
  [JSON_ARRAY]: 'a list',
};

/**
 * Reads the string to sign from a body.
 *
 * A JSON string contributes its decoded text, a number its literal as written: nothing is parsed and
 * written again.
 * @param body - the body exactly as it is sent
 * @returns the four values joined without separators, and the span of each (UTF-16 offsets)
 * @throws {AppError} `signing.not_json` (`{ line, column, offset }`), `signing.field_missing` or
 *   `signing.field_wrong_type` (`{ field, pointer }`)
 * @source payments-service-interface, part 5.5
 */
export function readStringToSign(body: string): StringToSign {
  return joinSignedFields(findSignedFields(body));
}

/**
 * Joins the values that a scan has found.
 *
 * @throws {AppError} `signing.field_missing` or `signing.field_wrong_type` (`{ field, pointer }`)
 */
export function joinSignedFields(finder: SignedFieldFinder): StringToSign {
  let text = '';
  const spans: SignedSpan[] = [];
  for (let index = 0; index < 4; index += 1) {
    const kind = finder.kinds[index]!;
    if (kind !== JSON_STRING && kind !== JSON_NUMBER) throw refuseField(finder, index);
    const { field, pointer } = SIGNED_FIELDS[index]!;
    const start = text.length;
    text += finder.valueOf(index);
    const bodyStart = finder.starts[index]!;
    spans.push({ field, pointer, start, end: text.length, bodyStart, bodyEnd: finder.ends[index]! });
  }
  return { text, spans };
}

function refuseField(finder: SignedFieldFinder, index: number): AppError {
  const { field, path, pointer } = SIGNED_FIELDS[index]!;
  const kind = finder.kinds[index]!;
  const details = { field, pointer };
  if (kind === 0) {
    return new AppError(
      'signing.field_missing',
      `${path} is missing. It is part of the string to sign: add it to the body.`,
      { details },
    );
  }
  return new AppError(
    'signing.field_wrong_type',
    `${path} is ${KIND_NAMES[kind] ?? 'of another type'}. Only a string or a number can be signed.`,
    { details: { ...details, offset: finder.starts[index]! } },
  );
}
