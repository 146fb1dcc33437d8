import { once } from 'node:events';
import { expect, it } from 'vitest';
import { reportFailure } from './report-failure';

const say = async (error: unknown): Promise<string> => {
  const warned = once(process, 'warning');
  reportFailure(error);
  const [warning] = (await warned) as [Error];
  return warning.message;
};

it('says what failed, and of a part of the program that is gone what to do', async () => {
  expect(await say(new Error('the disk is full'))).toBe('Sandbox: the disk is full');
  expect(await say('x'.repeat(900))).toBe(`Sandbox: ${'x'.repeat(500)}…`);
  const gone = Object.assign(new Error("Cannot find module '/opt/x.js' imported from /opt/y.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  expect(await say(gone)).toMatch(/^Sandbox: A part of the program is missing\. .*start it again/);
});
