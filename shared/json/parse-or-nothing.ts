import { isRecord } from './is-record';

/** Parses JSON; undefined: it is none. */
export function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; null: it is none. */
export function parseRecord(text: string): Record<string, unknown> | null {
  const value = parseOrNothing(text);
  return isRecord(value) ? value : null;
}
