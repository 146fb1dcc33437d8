import { describe, expect, it } from 'vitest';
import { carryProblems } from './carry-problems';
import type { BodyProblem } from './inspect-request';

const body = '{"a":1,"amount":"x","b":2}';
const at = body.indexOf('"x"');
const wrong: BodyProblem = {
  code: 'fields.value',
  message: 'amount must be a number.',
  severity: 'error',
  range: { start: at, end: at + 3 },
  fixes: [{ label: 'Write 0', start: at, end: at + 3, text: '0' }],
};

describe('carryProblems', () => {
  it('moves what stands behind the change, its fixes too', () => {
    const [moved] = carryProblems([wrong], body, body.replace('1', '1234'));
    expect(moved!.range).toEqual({ start: at + 3, end: at + 6 });
    expect(moved!.fixes).toEqual([{ label: 'Write 0', start: at + 3, end: at + 6, text: '0' }]);
  });

  it('moves back with a text that became shorter', () => {
    const [moved] = carryProblems([wrong], body, body.replace('"a":1,', ''));
    expect(body.replace('"a":1,', '').slice(moved!.range!.start, moved!.range!.end)).toBe('"x"');
  });

  it('leaves what stands before the change, and what stands nowhere', () => {
    const nowhere = { ...wrong, range: null, fixes: [] };
    const problems = [wrong, nowhere];
    expect(carryProblems(problems, body, body.replace('2', '22'))).toEqual(problems);
  });

  it('drops what the change touches, at its edges too: that has to be found again', () => {
    expect(carryProblems([wrong], body, body.replace('"x"', '"xy"'))).toEqual([]);
    expect(carryProblems([wrong], body, body.replace('"x"', '7"x"'))).toEqual([]);
    expect(carryProblems([wrong], body, body.replace('"x"', '"x"7'))).toEqual([]);
  });

  it('drops a fix that would write where the text has changed, and keeps its problem', () => {
    const far = { ...wrong, fixes: [{ label: 'Add b', start: 1, end: 1, text: '"b":1,' }] };
    const after = body.replace('{', '{ ');
    const [kept] = carryProblems([far], body, after);
    expect(kept!.fixes).toEqual([]);
    expect(after.slice(kept!.range!.start, kept!.range!.end)).toBe('"x"');
  });
});
