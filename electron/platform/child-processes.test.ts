import { spawnSync } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';
import { cleanEnvironment, withCleanEnvironment } from './child-processes';

const secrets = {
  COUNTERSIGN_CONSUMER_SECRET: 'of-ours',
  countersign_token: 'of-ours',
  COUNTERSIGN_PASSPHRASE: 'of-ours',
  PGPASSWORD: 'of-ours',
};
afterEach(() => vi.unstubAllEnvs());

it('takes what is ours out of the environment of a program', () => {
  expect(cleanEnvironment({ ...secrets, HOME: '/h', PGHOST: 'db' })).toEqual({ HOME: '/h', PGHOST: 'db' });
});

it.runIf(process.platform !== 'win32')('hides it from what inherits our own, and has it back', () => {
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  const inherited = (): string => spawnSync('env', { encoding: 'utf8' }).stdout;
  expect(inherited()).toContain('of-ours');
  expect(withCleanEnvironment(inherited)).not.toContain('of-ours');
  expect(process.env).toMatchObject(secrets);
  const fail = (): never => {
    throw new Error('no program');
  };
  expect(() => withCleanEnvironment(fail)).toThrow('no program');
  expect(process.env).toMatchObject(secrets);
});
