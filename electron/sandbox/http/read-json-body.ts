import { isRecord } from '@shared/json/is-record';
import { parseRecord } from '@shared/json/parse-or-nothing';
import { isUtf8 } from 'node:buffer';

export type JsonReading =
  | { ok: true; text: string; value: Readonly<Record<string, unknown>> }
  | { ok: false; error: string; message: string; text: string };

/** Reads the body of a request as a JSON object; tells what is wrong with it where it is none. @source design 5 */
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
  if (!isJsonType(contentType)) return refuse('unsupported_content_type', describeType(contentType));
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return refuse('unsupported_encoding', 'Send the body uncompressed, without Content-Encoding.');
  }
  if (bytes.length === 0) return refuse('empty_body', 'The body is empty. Send a JSON object.');
  const fault = findByteFault(bytes);
  if (fault !== null) return refuse('invalid_json', `The body ${fault}.`, bytes.toString('utf8'));
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 120) : '';
    return refuse('invalid_json', `The body is not JSON: ${reason}${explainText(text)}`, text);
  }
  if (!isRecord(value)) return refuse('invalid_json', `The body ${describeValue(value)}.`, text);
  return { ok: true, text, value };
}

/**
 * Says why a body is no JSON object, without quoting from it.
 *
 * @returns goes on after 'the body'; null: it is one
 */
export function describeBodyFault(bytes: Buffer, encoding: string | undefined): string | null {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return 'is compressed (Content-Encoding): send it as it is';
  }
  if (bytes.length === 0) return 'is empty: send a JSON object';
  const fault = findByteFault(bytes);
  if (fault !== null) return fault;
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? null : describeValue(value);
  } catch {
    return `is not JSON${explainText(text)}`;
  }
}

/** What a parser says of these shows a character that nobody sees. */
function findByteFault(bytes: Buffer): string | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'is compressed (gzip): send it as it is';
  const first = bytes.readUIntBE(0, Math.min(2, bytes.length));
  if (first === 0xfffe || first === 0xfeff) return 'is UTF-16: send it as UTF-8, without a byte order mark';
  if (!isUtf8(bytes)) return 'is not valid UTF-8: turn the text into bytes as UTF-8';
  const start = bytes.toString('utf8', 0, 3);
  if (start.startsWith('\ufeff')) return 'begins with a byte order mark (EF BB BF): send it without';
  if (/^(?:\0[{\s]|[{\s]\0)/.test(start)) return 'is UTF-16: send it as UTF-8';
  return null;
}

/** What is known of the cause beyond the place that a parser names. */
function explainText(text: string): string {
  const whole = text.trim();
  if (/^[\w.%+-]{1,200}=/.test(whole)) return ': it is a form, as name=value';
  if (/^\{\s{0,1000}'/.test(whole))
    return ": its names stand in single quotes (') where JSON has double ones";
  if (!whole.startsWith('{') || whole.endsWith('}')) return '';
  return /[^\0-\x7f]/.test(text)
    ? '. It ends before its object does: Content-Length counts the bytes of the UTF-8 text, not its characters'
    : '. It ends before its object does';
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'is a JSON list, and has to be an object';
  if (typeof value === 'string' && parseRecord(value) !== null) {
    return 'is a JSON text that holds the object: it was written as JSON twice, once is enough';
  }
  return 'is JSON, but not an object';
}

function describeType(contentType: string | undefined): string {
  const charset = /^application\/json\s{0,20};\s{0,20}charset\s{0,20}=\s{0,20}"?([\w.:-]{1,40})/i.exec(
    contentType ?? '',
  )?.[1];
  return charset === undefined
    ? 'Send the header Content-Type: application/json.'
    : `The header Content-Type names the charset ${charset}: send the body as UTF-8, with Content-Type: application/json.`;
}

function isJsonType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return /^application\/json\s{0,20}(?:;\s{0,20}charset\s{0,20}=\s{0,20}"?utf-8"?\s{0,20})?;?\s{0,20}$/i.test(
    contentType ?? '',
  );
}
