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
