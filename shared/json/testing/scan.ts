import { AppError } from '../../errors';
import { decodeJsonString, scanJson } from '../json-scanner';
import { JSON_STRING } from '../json-sink';

interface Token {
  kind: number;
  text: string;
  value: string;
}

/** Scans a text, and lists what the scanner told. */
export function scan(text: string, levels = 1000): Token[] {
  const tokens: Token[] = [];
  scanJson(text, {
    levels,
    key: (start, end, hasEscape) =>
      tokens.push({
        kind: 0,
        text: text.slice(start, end),
        value: decodeJsonString(text, start, end, hasEscape),
      }),
    scalar: (kind, start, end, hasEscape) =>
      tokens.push({
        kind,
        text: text.slice(start, end),
        value: kind === JSON_STRING ? decodeJsonString(text, start, end, hasEscape) : text.slice(start, end),
      }),
    open: (kind) => tokens.push({ kind, text: '', value: '' }),
    close: () => tokens.push({ kind: -1, text: '', value: '' }),
  });
  return tokens;
}

/** Whether the scanner takes a text. */
export function isAccepted(text: string): boolean {
  try {
    scan(text);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'signing.not_json') return false;
    throw error;
  }
}

/** Whether `JSON.parse` takes it. */
export function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts that are JSON. */
export const ACCEPTED = [
  'null', 'true', 'false', '0', '-0', '1', '-1', '10', '0.5', '1e3', '1E+3', '1e-3', '-0.0e-0', '1.0e00',
  '123456789012345678901234567890', '""', '"a"', '"\\""', '"\\\\"', '"\\/"', '"\\b\\f\\n\\r\\t"', '"\\u0000"',
  '"\\ud83d\\ude00"', '"\\ud800"', '"\u007f"', '"\u2028\u2029"', '"é€😀"', '"\ud800"', '[]', '[ ]', '{}', '{ }',
  '[1]', '[1,2]', '[[[]]]', '{"a":1}', '{"":0}', '{"a":1,"a":2}', '{"a":{"b":[{}]}}', ' \t\r\n[ \t\r\n1 , 2 ] \n',
]; // prettier-ignore

/** Texts that are none. */
export const REJECTED = [
  '', ' ', '\n', 'nul', 'nulll', 'True', 'NaN', 'Infinity', '-', '+1', '01', '-01', '1.', '.5', '1e', '1e+', '0x1', '1_0',
  '--1', '1 2', '"', '"a', '"\\"', '"\\x"', '"\\u12"', '"\\u12G4"', '"\n"', '"\t"', '"\u0000"', '"\u001f"', "'a'", 'a',
  '[', ']', '[1', '[1,', '[,]', '[1,]', '[1 2]', '{', '}', '{"a"}', '{"a":}', '{"a":1,}', '{a:1}', '{1:1}', '{"a" 1}',
  '{"a":1 "b":2}', '{,}', '[}', '{]', '[1}', '{"a":1]', '//c\n1', '/*c*/1', '1//c', '\ufeff1', '1\ufeff', '\u00a01',
  '1\u00a0', '\u20281', '\v1', '\f1', '\u00001', '1\u0000', '[1]]', '{}{}', '"a""b"', 'nullnull', '[true,fals]', '\\u0031',
  '"\ud83d', '{"é":"', '["é", "😀" 1]', '{{x}}', '{"a":{{x}}}',
]; // prettier-ignore
