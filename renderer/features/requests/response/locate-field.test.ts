import { describe, expect, it } from 'vitest';
import { locateField } from './locate-field';

const body = `{
  "note": "recipient: { \\"account\\": 1 }",
  "amount": {{amount}},
  "recipient": { "name": "A", "account": "2547{{tail}}" },
  "items": [ {"id": 1}, {"id": 22} ]
}`;
const at = (field: string) => {
  const range = locateField(body, field);
  return range && body.slice(range.start, range.end);
};

describe('locateField', () => {
  it('finds a nested value, texts that look like fields notwithstanding', () => {
    expect(at('recipient.account')).toBe('"2547{{tail}}"');
  });

  it('finds elements of lists, and pointers', () => {
    expect(at('items[1].id')).toBe('22');
    expect(at('/recipient/name')).toBe('"A"');
    expect(at('$.recipient.name')).toBe('"A"');
    expect(at("$['items'][1]['id']")).toBe('22');
  });

  it('gives the parent of a field that is missing', () => {
    expect(at('recipient.bank_code')).toBe('{ "name": "A", "account": "2547{{tail}}" }');
  });

  it('gives nothing where nothing is, and for text that is not JSON', () => {
    expect(at('originator.country')).toBeNull();
    expect(locateField('', 'a.b')).toBeNull();
    expect(locateField('{"a', 'a')).toBeNull();
  });

  it('passes values that are variables without quotes', () => {
    expect(at('amount')).toBe('{{amount}}');
  });
});
