import type { DoctorResult } from '@shared/contract/doctor';
import { AppError } from '@shared/errors';
import { readNamed } from '@shared/json/name-foreign';
import { readSnippetValues, type SnippetValues } from '@shared/signing/snippets/signing-snippets';
import { readStringToSign, type StringToSign } from '@shared/signing/string-to-sign';
import { isEditable } from '../../ui/long-text';

/** The string to sign of a body, or why it has none; null for an empty body. */
export type LabBody =
  | { kind: 'read'; string: StringToSign }
  | { kind: 'refused'; code: string; message: string; line: number | null };

/** Reads the string to sign of a body, for the marks in the body and the line under it; a long one is read by the doctor alone. */
export function readBody(body: string): LabBody | null {
  if (body.trim() === '' || !isEditable(body)) return null;
  try {
    return { kind: 'read', string: readNamed(body, readStringToSign) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { line } = error.details;
    return {
      kind: 'refused',
      code: error.code,
      message: error.message,
      line: typeof line === 'number' ? line : null,
    };
  }
}

/** The values of a body for signing code; null where it has no string to sign. */
export function readSnippetInputs(body: string): SnippetValues | null {
  if (!isEditable(body)) return null;
  try {
    return readSnippetValues(body);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const verdicts: Record<DoctorResult['verdict'], { text: string; tone: 'good' | 'bad' | 'warn' }> = {
  valid: { text: 'Verifies', tone: 'good' },
  explained: { text: 'Does not verify', tone: 'bad' },
  other_key: { text: 'Made with another key', tone: 'bad' },
  unexplained: { text: 'Does not verify', tone: 'bad' },
  not_a_signature: { text: 'Not a signature', tone: 'bad' },
};

/** The tag over the verdict. */
export function tagOf(result: DoctorResult): { text: string; tone: 'good' | 'bad' | 'warn' } {
  return verdicts[result.verdict];
}

/** 'a, b and c' */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
