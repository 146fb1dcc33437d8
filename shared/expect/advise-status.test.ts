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

  it.each([
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
