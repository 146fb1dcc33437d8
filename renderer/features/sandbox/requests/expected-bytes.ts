import type { SignedFieldName } from '@shared/contract/common';
import { AppError } from '@shared/errors';
import { readStringToSign, type SignedSpan } from '@shared/signing/string-to-sign';

export interface ExpectedByte {
  hex: string;
  /** The character that starts at this byte, or null inside one. */
  character: string | null;
  field: SignedFieldName | null;
}

/** Spans of the string that the sandbox expected, read from the body it got; none where it has no such string. */
export function readExpectedSpans(body: string, expectedString: string): readonly SignedSpan[] {
  try {
    const { text, spans } = readStringToSign(body);
    return text === expectedString ? spans : [];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** Nobody reads more, and each is a box of its own. */
const MOST_BYTES = 2000;

/** The first bytes of the expected string, each tied to its character and to its field. */
export function readExpectedBytes(text: string, spans: readonly SignedSpan[]): ExpectedByte[] {
  const encoder = new TextEncoder();
  const bytes: ExpectedByte[] = [];
  let offset = 0;
  for (const character of text.slice(0, MOST_BYTES)) {
    if (bytes.length >= MOST_BYTES) break;
    const at = offset;
    const field = spans.find((span) => span.start <= at && span.end > at)?.field ?? null;
    encoder.encode(character).forEach((byte, index) => {
      bytes.push({
        hex: byte.toString(16).padStart(2, '0'),
        character: index === 0 ? character : null,
        field,
      });
    });
    offset += character.length;
  }
  return bytes;
}
