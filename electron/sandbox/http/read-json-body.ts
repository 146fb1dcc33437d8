import { isRecord } from '@shared/json/is-record';
import { isUtf8 } from 'node:buffer';

export type JsonReading =
  | { ok: true; text: string; value: Readonly<Record<string, unknown>> }
  | { ok: false; error: string; message: string; text: string };

/** Reads bytes as a JSON object; tells what is wrong with them where they are none. @source design 5 */
export function readJsonObject(
  bytes: Buffer,
  contentType: string | undefined,
  encoding: string | undefined,
): JsonReading {
  const refuse = (error: string, message: string, text = ''): JsonReading => ({
    ok: false,
    error,
    message,
    text,
  });
  if (!isJsonType(contentType)) {
    return refuse('unsupported_content_type', 'Send the header Content-Type: application/json.');
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return refuse('unsupported_encoding', 'Send the body uncompressed, without Content-Encoding.');
  }
  if (bytes.length === 0) return refuse('empty_body', 'The body is empty. Send a JSON object.');
  if (!isUtf8(bytes)) return refuse('invalid_json', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  // What a parser says of these shows a character that nobody sees.
  if (text.startsWith('\ufeff')) {
    return refuse(
      'invalid_json',
      'The body begins with a byte order mark (EF BB BF). Send it without.',
      text,
    );
  }
  if (/^(?:\0[{\s]|[{\s]\0)/.test(text)) {
    return refuse('invalid_json', 'The body is UTF-16. Send it as UTF-8.', text);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 120) : '';
    return refuse('invalid_json', `The body is not JSON: ${reason}`, text);
  }
  if (!isRecord(value)) return refuse('invalid_json', 'The body is JSON, but not an object.', text);
  return { ok: true, text, value };
}

function isJsonType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return /^application\/json\s{0,20}(?:;\s{0,20}charset\s{0,20}=\s{0,20}"?utf-8"?\s{0,20})?;?\s{0,20}$/i.test(
    contentType ?? '',
  );
}
