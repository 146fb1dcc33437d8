import { describe, expect, it } from 'vitest';
import { readCapture } from './captures';
import { expectationForms, readExpectation } from './read-expectation';

const long = 'x'.repeat(500);

describe('a fault', () => {
  it.each([
    `${long} 1`,
    `status ${long}`,
    `header ${long}( exists`,
    `header X ${long}`,
    `body ${long}[ exists`,
    `body a is ${long}`,
    `time < ${long}`,
    `schema ${long}`,
    `signature valid ${long}`,
    `webhook within 1s ${long} x`,
    `balance changes by ${long} within 1s`,
    `same as example a ignoring ${long}..b`,
  ])('is told in one sentence of bounded length: %s', (line) => {
    const found = readExpectation(line);
    expect('fault' in found && found.fault.message.length).toBeLessThan(200);
  });

  it.each([`a = body ${long}..b`, `a = body b ${long}`])('of a capture, too: %s', (line) => {
    const found = readCapture(line);
    expect('fault' in found && found.fault.message.length).toBeLessThan(120);
  });

  it('of an operator marks all of its word', () => {
    expect(readExpectation('body a like b')).toMatchObject({ fault: { start: 7, end: 11 } });
    expect(readExpectation('body a x==b')).toMatchObject({ fault: { start: 7, end: 11 } });
    expect(readExpectation('body a')).toMatchObject({ fault: { start: 6, end: 7 } });
  });

  it.each(['webhook within 1s x[status == A]', 'webhook within 1s [status == A]x', 'time <', 'time < s'])(
    'is what this is: %s',
    (line) => expect(readExpectation(line)).toHaveProperty('fault'),
  );
});

describe('a line', () => {
  it.each([
    ['  status\t201 ', { kind: 'status', comparison: { value: { text: '201', isQuoted: false } } }],
    ['body x== exists', { kind: 'body', path: { keys: ['x=='] }, comparison: { operator: 'exists' } }],
    ['body >= 5', { kind: 'body', path: null, comparison: { operator: '>=' } }],
    ['body matches /{{a(}}/', { kind: 'body', comparison: { operator: 'matches' } }],
    ['body /*/a exists', { path: { keys: ['*', 'a'] } }],
    ['body a matches "a{2}"', { comparison: { value: { text: 'a{2}', isQuoted: true } } }],
    [
      'webhook within 1s status matches /^S/ body note contains [x',
      { conditions: [{ subject: 'status' }, { comparison: { value: { text: '[x' } } }] },
    ],
    ['body == "a" ', { comparison: { value: { text: 'a', isQuoted: true } } }],
    ["body == 'a'", { comparison: { value: { text: 'a', isQuoted: true } } }],
    ["body == '", { comparison: { value: { text: "'", isQuoted: false } } }],
    ['body == "\\x"', { comparison: { value: { text: '\\x', isQuoted: true } } }],
    ['balance changes by +5 within 1s', { change: '5' }],
    ['balance changes by {{a}}+5 within 1s', { change: '{{a}}+5' }],
    ['same as example my "best"', { example: 'my "best"' }],
    ['same as example "a" b', { example: '"a" b' }],
    ['same as example a  ignoring  b', { example: 'a', ignoring: [{ keys: ['b'] }] }],
  ])('%s is read as it is meant', (line, wanted) => {
    expect(readExpectation(line)).toMatchObject({ expectation: wanted });
  });

  it('of each kind is offered in a form of its own', () => {
    for (const [word, { forms }] of Object.entries(expectationForms)) {
      expect(forms.length, word).toBeGreaterThan(0);
      for (const form of forms) expect(form.startsWith(`${word} `), form).toBe(true);
    }
  });
});
