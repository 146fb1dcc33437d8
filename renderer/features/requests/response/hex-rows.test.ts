import { expect, it } from 'vitest';
import { writeHexRows } from './hex-rows';

it('writes hex beside text, line ends and bytes that are no text as dots', () => {
  const bytes = new TextEncoder().encode('HTTP/1.1 200\r\nü');
  expect(writeHexRows(bytes, 8)).toBe(
    ['0000  48 54 54 50 2f 31 2e 31  HTTP/1.1', '0008  20 32 30 30 0d 0a c3 bc   200····'].join('\n'),
  );
  expect(writeHexRows(new Uint8Array(), 8)).toBe('');
});
