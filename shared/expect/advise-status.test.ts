import { describe, expect, it } from 'vitest';
import { readJudged } from './read-judged';
import { adviseStatus } from './advise-status';

const advise = (httpStatus: number, body: unknown = {}, headers: [string, string][] = []): string =>
  adviseStatus({ httpStatus, headers, tree: readJudged(JSON.stringify(body)).tree });

describe('adviseStatus', () => {
  it('names the fields of a refusal with what the service says of each, so many and so much of each', () => {
    const one = { field: 'recipient.account', message: 'is required' };
    expect(advise(400, { data: { field_errors: [one] } })).toBe(
      'The service names: recipient.account: is required.',
    );
    const long = { field: 'a'.repeat(5000), message: 'b'.repeat(5000) };
    const many = advise(400, { data: { field_errors: Array.from({ length: 400 }, () => long) } });
    expect(many).toContain('and 395 more');
    expect(many.length).toBeLessThan(1400);
  });

  it('cuts what is too long, and leaves out what is empty', () => {
    const say = (field: string, message: string) =>
      advise(400, { data: { field_errors: [{ field, message }] } });
    expect(say('a'.repeat(80), 'b'.repeat(160))).toBe(
      `The service names: ${'a'.repeat(80)}: ${'b'.repeat(160)}.`,
    );
    expect(say('a'.repeat(81), 'b'.repeat(161))).toBe(
      `The service names: ${'a'.repeat(80)}…: ${'b'.repeat(160)}….`,
    );
    expect(say('', 'b')).toBe('The service names: b.');
    expect(say('a', '')).toBe('The service names: a.');
    expect(say('', '')).toBe('Read what the service says of it in its answer.');
  });

  it.each([
    [200, [], /took it/],
    [101, [], /in its answer/],
    [300, [], /in its answer/],
    [403, [], /token and the signature/],
    [500, [], /failed/],
    [429, [], /too often: send slower/],
    [
      429,
      [
        ['X-Other', '9'],
        ['RETRY-AFTER', '12'],
      ],
      /too often \(Retry-After: 12\)/,
    ],
    [201, [], /took it: correct the expectation/],
    [429, [['Retry-After', '12']], /too often \(Retry-After: 12\).*--delay/],
    [401, [], /token and the signature/],
    [503, [], /failed/],
    [404, [], /in its answer/],
  ] as [number, [string, string][], RegExp][])('says of %d what is true of it', (status, headers, words) => {
    expect(advise(status, {}, headers)).toMatch(words);
    expect(advise(status, {}, headers)).not.toContain('field');
  });
});
