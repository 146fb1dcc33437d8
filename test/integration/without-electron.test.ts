import { afterEach, expect, it } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { openWebClient } from '../support/web-client';

/** Makes every import of `electron` fail, as on a machine where it is not installed. */
const hooks = `
export async function resolve(specifier, context, next) {
  if (specifier === 'electron' || specifier.startsWith('electron/')) throw new Error('electron cannot be resolved');
  return next(specifier, context);
}`;
const register = `
import { register } from 'node:module';
import Module from 'node:module';
register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hooks))});
const load = Module._load;
Module._load = function (request, ...rest) {
  if (request === 'electron') throw new Error('electron cannot be resolved');
  return load.call(this, request, ...rest);
};`;
const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(register)}`];

let running: RunningCommand | null = null;
afterEach(async () => running?.stop());

it('the hook itself makes electron unresolvable', async () => {
  const probe = startCli([], {
    nodeArgs: [...nodeArgs, '--input-type=module', '-e', "await import('electron')"],
  });
  await new Promise((resolve) => probe.child.once('exit', resolve));
  expect(probe.child.exitCode).not.toBe(0);
  expect(probe.readOutput()).toContain('electron cannot be resolved');
});

it('the command line loads where electron cannot be resolved', async () => {
  const version = startCli(['--version'], { nodeArgs });
  await new Promise((resolve) => version.child.once('exit', resolve));
  expect(version.readOutput()).toMatch(/\d+\.\d+\.\d+/);
  expect(version.child.exitCode).toBe(0);
});

it('the web host runs and answers where electron cannot be resolved', async () => {
  running = startCli(
    ['app', '--no-open', '--json', '--port', '0', '--data', makeTemporaryFolder('without')],
    { nodeArgs },
  );
  const ready = await running.waitForLine((line) => line['event'] === 'ready');
  const client = await openWebClient(ready['url'] as string);
  expect(await client.call('app.status')).toMatchObject({
    ok: true,
    value: { host: 'web', sandbox: { state: 'running' } },
  });
});
