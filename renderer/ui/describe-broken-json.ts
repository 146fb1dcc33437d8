import { AppError } from '@shared/errors';
import { scanJson } from '@shared/json/json-scanner';
import type { JsonSink } from '@shared/json/json-sink';

const ignore = (): void => undefined;
const deaf: JsonSink = { levels: 0, key: ignore, scalar: ignore, open: ignore, close: ignore };

/** Where a text stops being JSON, and how. */
export interface BrokenJson {
  readonly message: string;
  /** The character at which it does; the one before it where it is white space or the end. */
  readonly start: number;
  readonly end: number;
}

/** Says of a text that calls itself JSON, or begins like it, that it is none, and where; null: it is, or never claimed to be. */
export function findBrokenJson(text: string, contentType: string | null): BrokenJson | null {
  const claims = /\bjson\b/i.test(contentType ?? '') || /^\s*[{[]/.test(text);
  if (!claims || text === '') return null;
  try {
    scanJson(text, deaf);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const offset = Number(error.details['offset'] ?? text.length);
    // White space shows no mark: what stands before it does.
    const start = Math.max(0, text.slice(0, offset + 1).trimEnd().length - 1);
    const isPair = (text.codePointAt(start) ?? 0) > 0xff_ff;
    return { message: error.message, start, end: start + (isPair ? 2 : 1) };
  }
}
