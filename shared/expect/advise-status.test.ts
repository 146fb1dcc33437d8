import { describe, expect, it } from 'vitest';
import { readJudged } from './read-judged';
import { adviseStatus } from './advise-status';

const advise = (
  httpStatus: number,
  body: unknown = {},
  headers: [string, string][] = [],
  outcome: Parameters<typeof adviseStatus>[0]['outcome'] = null,
  operation: Parameters<typeof adviseStatus>[0]['operation'] = 'other',
): string =>
  adviseStatus({ operation, httpStatus, headers, tree: readJudged(JSON.stringify(body)).tree, outcome });

describe('adviseStatus', () => {
  it('names the fields of a refusal with what the service says of each, the first five of many', () => {
    const one = { field: 'recipient.account', message: 'is required' };
    expect(advise(400, { data: { field_errors: [one] } })).toBe(
      'The service names: recipient.account: is required.',
    );
    const named = (count: number) => ({ data: { field_errors: Array.from({ length: count }, () => one) } });
    const five = Array<string>(5).fill('recipient.account: is required').join('; ');
    expect(advise(400, named(5))).toBe(`The service names: ${five}.`);
    expect(advise(400, named(6))).toBe(`The service names 6 fields, of which the first are: ${five}.`);
  });

  it('cuts nothing, since the beginning of a secret could not be masked, and leaves out what is empty', () => {
    const say = (field: string, message: string) =>
      advise(400, { data: { field_errors: [{ field, message }] } });
    const [field, message] = ['a'.repeat(500), 'b'.repeat(500)];
    expect(say(field, message)).toBe(`The service names: ${field}: ${message}.`);
    expect(advise(429, {}, [['Retry-After', field]])).toContain(`(Retry-After: ${field})`);
    expect(say('', 'b')).toBe('The service names: b.');
    expect(say('a', '')).toBe('The service names: a.');
    expect(say('', '')).toBe('Read what the service says of it in its answer.');
  });

  it.each([
    ['duplicate', /has a payment of this reference already, and made no other/],
    ['rejected', /^Read what the service says/],
    ['failed', /^Read what the service says/],
    ['unknown', /^Read what the service says/],
    ['accepted', /^The service took it/],
    ['ok', /^The service took it/],
    [null, /^The service took it/],
  ] as const)('goes by what a 200 means where it is %s', (outcome, words) => {
    expect(advise(200, {}, [], outcome)).toMatch(words);
  });

  it.each([
    [200, 'unknown'],
    [201, 'failed'],
    [302, 'unknown'],
    [500, 'failed'],
  ] as const)('says of a payment that was answered %d and is %s to ask for it first', (status, outcome) => {
    expect(advise(status, {}, [], outcome, 'payout')).toBe(
      'Whether the service took it is not known: ask its status before you send it again.',
    );
    expect(advise(status, {}, [], outcome, 'status')).not.toContain('ask its status');
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
    [429, [['Retry-After', '12']], /too often \(Retry-After: 12\).*--delay, or give it more attempts/],
    [429, [['Retry-After', '901']], /\(Retry-After: 901\): that is longer than --retry waits\. Run/],
    [429, [['Retry-After', 'Mon, 30 Nov 2026 08:00:00 GMT']], /--delay/],
    [401, [], /token and the signature/],
    [503, [], /failed/],
    [404, [], /in its answer/],
  ] as [number, [string, string][], RegExp][])('says of %d what is true of it', (status, headers, words) => {
    expect(advise(status, {}, headers)).toMatch(words);
    expect(advise(status, {}, headers)).not.toContain('field');
  });
});
