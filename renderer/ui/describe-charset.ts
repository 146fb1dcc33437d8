import type { Exchange } from '@shared/contract/sending';
import { findCharset } from '@shared/decode-answer';

/** Says of an answer that is not UTF-8 how its text was read; null: it is. */
export function describeCharset({
  headers,
  body,
  bodyBase64,
}: Pick<NonNullable<Exchange['response']>, 'headers' | 'body' | 'bodyBase64'>): string | null {
  if (bodyBase64 === null) return null;
  if (body.includes('\ufffd')) return 'Its bytes are no text that can be read.';
  return `It is not UTF-8: it is read as ${findCharset(headers) ?? 'text'}, as its Content-Type says.`;
}
