import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sayFailures } from './say-failures';

const usual = process.listeners('warning');
const restore = (): void => {
  process.removeAllListeners('warning');
  for (const listener of usual) process.on('warning', listener);
};
beforeEach(restore);
afterEach(restore);

const warn = (message: string, code?: string): void =>
  void process.emit('warning', Object.assign(new Error(message), { code }));

it('says what the sandbox warns of, once in ten seconds however often it happens', () => {
  const said: string[] = [];
  let at = 0;
  sayFailures(
    (line) => said.push(line),
    () => at,
  );
  for (let turn = 0; turn < 5; turn++) warn('Sandbox: the disk is full', 'SANDBOX_FAILURE');
  warn('Sandbox: something else', 'SANDBOX_FAILURE');
  expect(said).toEqual(['Sandbox: the disk is full', 'Sandbox: something else']);
  at = 10_000;
  warn('Sandbox: the disk is full', 'SANDBOX_FAILURE');
  expect(said).toHaveLength(3);
});

it('leaves every other warning to those that heard it before, and takes ours from them', () => {
  const heard = vi.fn();
  process.removeAllListeners('warning');
  process.on('warning', heard);
  sayFailures(() => undefined);
  warn('Sandbox: x', 'SANDBOX_FAILURE');
  expect(heard).not.toHaveBeenCalled();
  warn('a warning of Node');
  expect(heard).toHaveBeenCalledOnce();
});
