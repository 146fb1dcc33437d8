import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestSandbox } from '../support/sandbox-client';
import { makeTemporaryFolder } from '../support/temporary';
import { endWithTests, readReadyLine } from '../support/run-cli';

/** A batch is written each second. */
const BATCH_MS = 1000;

test('kill -9 takes at most the last second of the request log, and the log is whole after it', async () => {
  const directory = makeTemporaryFolder('request-log-kill');
  const child = endWithTests(
    spawn(
      process.execPath,
      [join(process.cwd(), 'out/cli/index.js'), 'sandbox', '--json', '--port', '0', '--data', directory],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  );
  const { base_url: baseUrl } = await readReadyLine<{ base_url: string }>(child.stdout);
  const answered: { id: string; at: number }[] = [];
  const endsAt = performance.now() + 2.5 * BATCH_MS;
  while (performance.now() < endsAt) {
    const answer = await fetch(`${baseUrl}/n/${answered.length}`);
    answered.push({ id: answer.headers.get('x-request-id')!, at: performance.now() });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const killedAt = performance.now();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const client = await startTestSandbox({ dataDirectory: directory });
  const kept = new Set(client.sandbox.readState(1000).requests.map(({ id }) => id));
  await client.sandbox.close();
  const lost = answered.filter(({ id }) => !kept.has(id));
  expect(kept.size).toBeGreaterThan(10);
  // Twice a batch: the machine of the test may be busy.
  for (const { at } of lost) expect(killedAt - at).toBeLessThan(2 * BATCH_MS);
});
