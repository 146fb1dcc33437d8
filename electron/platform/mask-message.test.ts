import { expect, it } from 'vitest';
import { createHiding, createHidingBySecrets, keepBody } from './mask-message';

it('hides the secrets of the client whose message it is, whichever came before', () => {
  const hidingOf = createHidingBySecrets();
  const [first, second] = ['first-secret-0123456789', 'second-secret-9876543210'];
  const text = `echo ${first} ${second}`;
  for (const [secret, other] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    const hidden = hidingOf([secret])(text);
    expect(hidden).not.toContain(secret);
    expect(hidden).toContain(other);
    // Once more, as it is remembered.
    expect(hidingOf([secret])(text)).toBe(hidden);
  }
  expect(hidingOf([first, second])(text)).not.toMatch(/first-secret|second-secret/);
});

it('looks a little beyond what it keeps, and keeps no half of a secret, however many masks make room', () => {
  const secret = 'cut-secret-0123456789';
  const hide = createHiding([secret]);
  const keep = (text: string) => keepBody(Buffer.from(text), hide, 1000).bytes.toString();
  expect(keep(`${'x'.repeat(990)}${secret}${'y'.repeat(2e6)}`).slice(985)).toBe('xxxxx');
  // The last one is cut where the looking ends.
  const many = keep(`${secret.repeat(827)}${'cut-secret-0123456789'.repeat(100_000)}`);
  expect(many.replaceAll('cut-…6789', '')).not.toContain('cut-secret');
});

it('hides what follows Basic, whosever it is, in JSON whose slashes are escaped, too', () => {
  const hide = createHiding([]);
  for (const escape of ['/', '\\/', '\\u002F', '\\\\/'])
    expect(hide(`{"a":"Basic a2V5OnR${escape}LnNlY3JldA==","b":"x"}`)).toBe('{"a":"Basic ********","b":"x"}');
});
