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

it('hides what follows Basic, and a key of webhooks, whosever it is, however its signs are escaped', () => {
  const hide = createHiding([]);
  const escapes = ['/', '\\/', '\\u002F', '\\u002f', '\\\\/', '%2F', '%252f', '&#47;', '&#x2F;'];
  for (const escape of escapes) {
    expect(hide(`{"a":"Basic a2V5OnR${escape}LnNlY3JldA==","b":"x"}`)).toBe('{"a":"Basic ********","b":"x"}');
    const key = `whsec_MfKQ9r8GKYqrTwjUPD${escape}8ILPZIo2LaLaSw==`;
    expect(hide(`{"a":"${key}","b":"x"}`)).toBe('{"a":"whse…Sw==","b":"x"}');
  }
  expect(hide(`Basic ${'a'.repeat(8e6)}`)).toMatch(/^Basic \*{8}a/);
});
