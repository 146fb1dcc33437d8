import { describe, expect, it } from 'vitest';
import { readExpectation } from './read-expectation';

describe('a line at its limits', () => {
  it.each([
    'webhook within 24.5m [body a == [1] x]  [status == "A B"]',
    'webhook within 1440m status in A,C count >= 123456',
    'no webhook for 0s',
    'time < 0.125s',
    'status not exists',
    'status {{code}}',
    'status == "{{a b}}"',
    "header !#$%&'*+.^_`|~-a1 exists",
    'balance changes by {{a}} within 1s',
    'same as example a  ignoring  b, c',
  ])('reads %s', (line) => expect(readExpectation(line)).toHaveProperty('expectation'));

  it.each([
    ['no webhook for 1441m', 15, 20],
    ['no webhook for x5s', 15, 18],
    ['no webhook for 5sx', 15, 18],
    ['no webhook for 1.2345s', 15, 22],
    ['no webhook for -5s', 15, 18],
    ['status 2011', 7, 11],
    ['status x200', 7, 11],
    ['status 600', 7, 10],
    ['header X(A exists', 7, 10],
    ['header (XA exists', 7, 10],
    ['webhook', 7, 8],
    ['webhook soon', 8, 12],
    ['webhook within 1s count exists', 24, 30],
    ['webhook within 1s count in 1,x', 24, 30],
    ['webhook within 1s count == 1x', 24, 29],
    ['webhook within 1s count == x1', 24, 29],
    ['webhook within 1s count == 1234567', 24, 34],
    ['time', 4, 5],
  ])('%s is wrong from %i to %i', (line, start, end) => {
    expect(readExpectation(line)).toMatchObject({ fault: { start, end } });
  });

  it('says of a time that is too long how long it may be', () => {
    expect(readExpectation('state within 9999999s == succeeded')).toEqual({
      fault: { message: 'Nothing is waited for longer than 24 hours.', start: 13, end: 21 },
    });
  });

  it('takes the name of an example with or without quotes', () => {
    for (const line of ['same as example a b', 'same as example "a b"', 'same as example  " a b "']) {
      expect(readExpectation(line)).toEqual({ expectation: { kind: 'same', example: 'a b', ignoring: [] } });
    }
    expect(readExpectation('same as example a  ignoring  b, c.d')).toMatchObject({
      expectation: { example: 'a', ignoring: [{ keys: ['b'] }, { keys: ['c', 'd'] }] },
    });
  });
});
