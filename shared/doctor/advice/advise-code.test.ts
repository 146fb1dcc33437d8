import { describe, expect, it } from 'vitest';
import { CAUSE_CODES } from '../causes';
import { adviseCode } from './advise-code';
import { ADVICE_LANGUAGES } from './code-topics';

describe.each(ADVICE_LANGUAGES)('adviseCode in %s', (language) => {
  it.each(CAUSE_CODES)('shows what to take out and what to write for %s', (code) => {
    const lines = adviseCode(language, [{ code, actual: '|' }]);
    const removed = lines.find(({ kind }) => kind === 'remove');
    const added = lines.find(({ kind }) => kind === 'add');
    expect(removed?.code).not.toBe(added?.code);
    expect(lines.map(({ code: line }) => line).join('\n')).not.toContain('%actual%');
    expect(lines.filter(({ code: line }) => !line)).toEqual([]);
  });
});

it('puts several causes into the order of the code, and keeps the lines between', () => {
  const lines = adviseCode('node', [
    { code: 'string.separator', actual: "'|'" },
    { code: 'country.form', actual: 'KEN' },
  ]);
  expect(lines).toEqual([
    { kind: 'remove', code: "const country = 'KEN';" },
    { kind: 'add', code: 'const country = body.originator.country;' },
    { kind: 'remove', code: "const text = [reference, amount, country, serviceCode].join('\\'|\\'');" },
    { kind: 'add', code: 'const text = `${reference}${amount}${country}${serviceCode}`;' },
    { kind: 'keep', code: "const signature = sign('sha256', Buffer.from(text), privateKey);" },
    { kind: 'keep', code: "const value = signature.toString('base64');" },
  ]);
});

it.each(ADVICE_LANGUAGES)('writes what was signed as a text of %s, and in a comment as it is', (language) => {
  const removed = (code: string, actual: string | null): string =>
    adviseCode(language, [{ code, actual }]).find(({ kind }) => kind === 'remove')!.code;
  expect(removed('number.format', '1,000.00 "$&"')).toMatch(/(?:\/\/|#) 1,000\.00 "\$&"$/);
  expect(removed('country.form', 'K"N')).toMatch(/["']K(?:\\"|"|"")N["']/);
  expect(removed('country.form', null)).toMatch(/""|''/);
});

it('shows one change for a line, the likeliest, and none for what is not known', () => {
  const lines = adviseCode('node', [
    { code: 'new.cause', actual: null },
    { code: 'hash.md5', actual: null },
    { code: 'hash.sha1', actual: null },
    { code: 'string.bom', actual: null },
  ]);
  expect(lines.map(({ kind, code }) => `${kind} ${code.slice(0, 22)}`)).toEqual([
    'keep const text = `${refere',
    expect.stringMatching(/^remove /),
    expect.stringMatching(/^add /),
    expect.stringMatching(/^remove .*/),
    'add const signature = sign',
    'keep const value = signatur',
  ]);
  expect(lines.find(({ code }) => /md5/i.test(code))?.kind).toBe('remove');
  expect(lines.some(({ code }) => /sha1/i.test(code))).toBe(false);
});

it('shows the call that signs a digest, and none by the hash that made the digest', () => {
  const lines = adviseCode('node', [
    { code: 'hash.md5', actual: 'MD5' },
    { code: 'hash.hex_text', actual: 'its digest as text' },
  ]);
  expect(lines.find(({ kind }) => kind === 'remove')?.code).toContain("digest('hex')");
});
