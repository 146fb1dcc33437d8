import { isRecord } from '@shared/json/is-record';
import { parseRecord } from '@shared/json/parse-or-nothing';

export interface Echo {
  /** `meta.order = A-17`, as many as fit a line. */
  text: string;
  isSame: boolean;
}

/** Compares the `meta` that was sent with the `metadata` that came back (interface, part 6); null: none was sent. */
export function readEcho(requestBody: string | null, webhookBody: string): Echo | null {
  const sent = readObject(requestBody, 'meta');
  if (sent === null || Object.keys(sent).length === 0) return null;
  const received = readObject(webhookBody, 'metadata') ?? {};
  const text = Object.entries(sent)
    .map(([name, value]) => `meta.${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  return { text, isSame: isEqual(sent, received) };
}

function readObject(body: string | null, field: string): Record<string, unknown> | null {
  const value = body === null ? null : parseRecord(body)?.[field];
  return isRecord(value) ? value : null;
}

function isEqual(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, index) => isEqual(one, right[index]));
  }
  if (isRecord(left) && isRecord(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => name in right && isEqual(left[name], right[name]))
    );
  }
  return left === right;
}

/** Where the text of a JSON string field stands in `text`, quotes left out; null where it is not found. */
export function findStringField(text: string, field: string): { start: number; end: number } | null {
  const match = new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(text);
  if (!match) return null;
  const end = match.index + match[0].length - 1;
  return { start: end - match[1]!.length, end };
}
