import { describe, expect, it } from 'vitest';
import { describeBrokenJson } from './describe-broken-json';

describe('describeBrokenJson', () => {
  it('says of what claims to be JSON that it is none', () => {
    expect(describeBrokenJson('{"a":1', null)).toContain('not JSON');
    expect(describeBrokenJson('{\n"a": 1\n"b": 2}', null)).toContain('line 2, column 7: a comma is missing');
    expect(describeBrokenJson('oops', 'application/json; charset=utf-8')).toContain('not JSON');
  });

  it('says nothing of JSON, of other texts and of nothing', () => {
    expect(describeBrokenJson('{"a":1e3}', 'application/json')).toBeNull();
    expect(describeBrokenJson('<html>', 'text/html')).toBeNull();
    expect(describeBrokenJson('', 'application/json')).toBeNull();
  });
});
