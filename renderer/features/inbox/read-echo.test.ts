import { describe, expect, it } from 'vitest';
import { findStringField, readEcho } from './read-echo';

describe('readEcho', () => {
  it('says whether meta came back as it was sent, whatever the order', () => {
    const request = '{"meta":{"order":"A-17","n":{"a":1,"b":[2]}}}';
    expect(readEcho(request, '{"metadata":{"n":{"b":[2],"a":1},"order":"A-17"}}')).toEqual({
      text: 'meta.order = A-17, meta.n = {"a":1,"b":[2]}',
      isSame: true,
    });
    expect(readEcho(request, '{"metadata":{"order":"A-17"}}')?.isSame).toBe(false);
    expect(readEcho(request, 'not json')?.isSame).toBe(false);
  });

  it('has nothing to say where no meta was sent', () => {
    expect(readEcho('{"meta":{}}', '{}')).toBeNull();
    expect(readEcho(null, '{}')).toBeNull();
    expect(readEcho('{{', '{}')).toBeNull();
  });

  it('finds the text of a field between its quotes', () => {
    const text = '{"client_reference": "IN\\"V"}';
    const found = findStringField(text, 'client_reference')!;
    expect(text.slice(found.start, found.end)).toBe('IN\\"V');
    expect(findStringField('{"client_reference": 5}', 'client_reference')).toBeNull();
  });
});
