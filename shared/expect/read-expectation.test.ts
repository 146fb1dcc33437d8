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
    'webhook within 1s [status != A] [status != B] count == 1',
    'webhook within 1s status == {{a}} status == {{b}}',
    'webhook within 1s [status == A] [status == A]',
    'webhook within 1s body a == 1',
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
    // A second one would win, or never hold.
    ['webhook within 1s count == 1 count == 2', 29, 39],
    ['webhook within 1s [count == 1] [status == A] [count == 1]', 45, 57],
    ['webhook within 1s status == A [status == B]', 30, 43],
    ['webhook within 1s [status == A] count == 1 [status == "B"]', 43, 58],
    ['body x in []', 10, 12],
    ['body x in [a,b]', 10, 12],
    ["body x in ['a','b']", 10, 14],
    ['body x in c,{"a":1,"b":2}', 12, 18],
    ['status in [200,{{code}}]', 10, 14],
    ['webhook within 1s [status in [A,B]]', 29, 31],
    ['same as example X ignoring', 18, 26],
    ['same as example X  ignoring ,', 19, 29],
    ['same as example ignoring', 16, 24],
    ['same as example ignoring a', 16, 26],
  ])('%s is wrong from %i to %i', (line, start, end) => {
    expect(readExpectation(line)).toMatchObject({ fault: { start, end } });
  });

  it('says of a time that is too long how long it may be', () => {
    expect(readExpectation('state within 9999999s == succeeded')).toEqual({
      fault: { message: 'Nothing is waited for longer than 24 hours.', start: 13, end: 21 },
    });
  });

  it.each([
    ['["a","b"]', ['"a"', '"b"']],
    ['["a, b", 1.0, true,null]', ['"a, b"', '1.0', 'true', 'null']],
    ['[[1,2],{"a":"b"}]', ['[1,2]', '{"a":"b"}']],
    ['["{{a}}"]', ['"{{a}}"']],
    ['[a]', ['[a]']],
    ['[1],[2]', ['[1]', '[2]']],
    ['{{a}},{{b}}', ['{{a}}', '{{b}}']],
    ['a[,"b]"', ['a[', '"b]"']],
    ['{"a":1},{"a":2}', ['{"a":1}', '{"a":2}']],
  ])('takes %s behind `in` for a list of %o', (list, wanted) => {
    const values = wanted.map((one) => (one.startsWith('"') ? [one.slice(1, -1), true] : [one, false]));
    for (const line of ['body x', 'header x', 'webhook within 1s body x']) {
      const read = readExpectation(`${line} in ${list}`) as unknown as { expectation: object };
      const [shown] = JSON.stringify(read).match(/"values":(\[.*?\}\])/) ?? [];
      expect(JSON.parse(`{${shown}}`).values.map(Object.values)).toEqual(values);
    }
  });

  it.each([
    'status in [200, 201]',
    'webhook within 1s status in ["A", "B]"] count == 1',
    'webhook within 1s [status in ["A","B"]] [count == 1]',
  ])('reads a list of JSON in %s', (line) => expect(readExpectation(line)).toHaveProperty('expectation'));

  it('takes the name of an example with or without quotes', () => {
    for (const line of ['same as example a b', 'same as example "a b"', 'same as example  " a b "']) {
      expect(readExpectation(line)).toEqual({ expectation: { kind: 'same', example: 'a b', ignoring: [] } });
    }
    expect(readExpectation('same as example "ignoring b ignoring c" ignoring d')).toMatchObject({
      expectation: { example: 'ignoring b ignoring c', ignoring: [{ keys: ['d'] }] },
    });
    expect(readExpectation('same as example a  ignoring  b, c.d')).toMatchObject({
      expectation: { example: 'a', ignoring: [{ keys: ['b'] }, { keys: ['c', 'd'] }] },
    });
  });
});
