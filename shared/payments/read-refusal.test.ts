import { expect, test } from 'vitest';
import { readRefusal } from './read-refusal';

const failed = '{"code":"400.500","status":"FAILED","description":"Internal server error","data":null}';

test('gives code and description of an answer that refuses', () => {
  expect(readRefusal(500, failed, null)).toBe('400.500: Internal server error');
});

test('gives the text of one that is in no form of the service, bounded and masked', () => {
  expect(readRefusal(502, ' <html>Bad gateway</html>\n', null)).toBe('<html>Bad gateway</html>');
  expect(readRefusal(502, 'x'.repeat(2000), null)).toMatch(/^x{300}… \(2,000 characters\)$/);
  expect(readRefusal(502, 'x'.repeat(2000), 5_000_000)).toMatch(/^x{300}… \(5000000 bytes\)$/);
  expect(readRefusal(502, '{"api_key":"sk-of-the-backend-1"}', null)).not.toContain('sk-of-the-backend-1');
});

test('gives what was ignored as a duplicate, which is answered 200', () => {
  const ignored =
    '{"status":"200.100","code":"REJECTED","description":"A duplicate was ignored","data":null}';
  expect(readRefusal(200, ignored, null)).toBe('REJECTED: A duplicate was ignored');
  expect(readRefusal(200, '{"code":"100","status":"Rejected"}', null)).toBe('100');
  expect(readRefusal(200, '{"code":"ACCEPTED","data":{"code":"REJECTED"}}', null)).toBeNull();
  expect(readRefusal(200, 'the word "REJECTED" alone', null)).toBeNull();
});

test('says nothing where nothing was refused, or no answer came', () => {
  expect(readRefusal(201, failed, null)).toBeNull();
  expect(readRefusal(null, '', null)).toBeNull();
  expect(readRefusal(500, '', null)).toBeNull();
});
