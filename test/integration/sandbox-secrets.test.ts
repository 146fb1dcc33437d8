import { expect, it } from 'vitest';
import { startCli } from '../support/run-cli';

it.each([
  ['variables', [], { COUNTERSIGN_CONSUMER_SECRET: 'given-secret', COUNTERSIGN_ADMIN_TOKEN: 'given-token' }],
  ['options', ['--consumer-secret', 'given-secret', '--admin-token', 'given-token'], {}],
])('prints at its start no secret that came by %s, but where it came from', async (_what, args, env) => {
  const sandbox = startCli(['sandbox', '--port', '0', ...args], { env });
  await expect.poll(sandbox.readOutput, { timeout: 30_000 }).toMatch(/^Admin token.*\n/m);
  await sandbox.stop();
  expect(sandbox.readOutput()).toMatch(/^Consumer secret +the one of (?:COUNTERSIGN_|--consumer-secret)/m);
  expect(sandbox.readOutput()).not.toMatch(/given-(?:secret|token)/);
});
