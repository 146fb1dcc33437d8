import { AppError } from '@shared/errors';
import { scanJson } from '@shared/json/json-scanner';
import type { JsonSink } from '@shared/json/json-sink';

const ignore = (): void => undefined;
const deaf: JsonSink = { levels: 0, key: ignore, scalar: ignore, open: ignore, close: ignore };

/** Says of a text that calls itself JSON, or begins like it, that it is none, and where; null: it is, or never claimed to be. */
export function describeBrokenJson(text: string, contentType: string | null): string | null {
  const claims = /\bjson\b/i.test(contentType ?? '') || /^\s*[{[]/.test(text);
  if (!claims || text === '') return null;
  try {
    scanJson(text, deaf);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
