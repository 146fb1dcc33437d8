import { describe, expect, it } from 'vitest';
import { checkEnvironment, isUnprotected, readVariables, writeVariables } from './environment-fields';

describe('environment fields', () => {
  it('reads variables line by line, equals signs in values kept', () => {
    expect(readVariables('a = 1\n\ntoken=x=y').variables).toEqual({ a: '1', token: 'x=y' });
    expect(readVariables('a = 1\nnonsense').fault).toContain('Line 2');
    expect(readVariables(writeVariables({ base_url: 'u', a: 'b c' })).variables).toEqual({ a: 'b c' });
  });

  it('names what is wrong with an environment', () => {
    expect(checkEnvironment({ name: 'local', baseUrl: 'https://x' }, []).name).toContain('embedded');
    expect(checkEnvironment({ name: 'uat', baseUrl: 'https://x' }, ['uat']).name).toContain('already');
    const long = { name: 'n'.repeat(81), baseUrl: 'https://x' };
    expect(checkEnvironment(long, []).name).toContain('at most 80 letters');
    expect(checkEnvironment({ ...long, name: 'n'.repeat(80) }, []).name).toBeNull();
    expect(checkEnvironment({ name: 'a', baseUrl: 'x.example.com' }, []).baseUrl).toContain('https://');
    expect(checkEnvironment({ name: 'a', baseUrl: 'https://x/?a=1' }, []).baseUrl).toContain('?');
    expect(checkEnvironment({ name: 'a', baseUrl: 'https://x' }, [])).toEqual({ name: null, baseUrl: null });
  });

  it('warns of plain HTTP to another machine alone', () => {
    expect(isUnprotected('http://example.com')).toBe(true);
    expect(isUnprotected('http://127.0.0.1:4010')).toBe(false);
    expect(isUnprotected('https://example.com')).toBe(false);
  });
});
