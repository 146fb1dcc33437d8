import { describe, expect, it } from 'vitest';
import { readExpectedBytes, readExpectedSpans } from './expected-bytes';

const body =
  '{"transaction":{"reference":"Ré","amount":10,"service_code":"S"},"originator":{"country":"KE"}}';

describe('expected bytes', () => {
  it('ties each byte to its character and its field', () => {
    const bytes = readExpectedBytes('Ré10KES', readExpectedSpans(body, 'Ré10KES'));
    expect(bytes.map((byte) => byte.hex).join('')).toBe('52c3a931304b4553');
    expect(bytes[1]).toEqual({ hex: 'c3', character: 'é', field: 'reference' });
    expect(bytes[2]).toEqual({ hex: 'a9', character: null, field: 'reference' });
    expect(bytes.at(-1)?.field).toBe('service_code');
  });

  it('gives the first bytes of a string of a megabyte', () => {
    expect(readExpectedBytes('é'.repeat(500_000), [])).toHaveLength(2000);
  });

  it('draws no fields where the string is not the body’s', () => {
    expect(readExpectedSpans(body, 'other')).toEqual([]);
    expect(readExpectedSpans('{', 'x')).toEqual([]);
    expect(readExpectedBytes('x', [])).toEqual([{ hex: '78', character: 'x', field: null }]);
  });
});
