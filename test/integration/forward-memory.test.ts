import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rawRequest, runLoad } from '../support/load-generator';
import { findFreePort } from '../support/free-port';
import { startBackend } from '../support/recording-backend';
import { startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const QUEUED = 20_000;
const MOST_MIB = 150;

/** The most that the process ever held: what is sampled may miss it. */
function readPeakMib(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

it.skipIf(process.platform !== 'linux')(
  `keeps ${QUEUED} webhooks while the backend is down in ${MOST_MIB} MiB, and delivers them all`,
  async () => {
    const port = await findFreePort();
    const directory = makeTemporaryFolder('forward-memory');
    const command = startCli([
      'listen',
      '--port',
      '0',
      '--data',
      directory,
      '--forward-to',
      `http://127.0.0.1:${port}`,
    ]);
    await expect.poll(command.readOutput, { timeout: 20_000 }).toContain('Listening at');
    const own = Number(/:(\d+)/.exec(command.readOutput().split('Listening at')[1]!)![1]);
    const requests = Array.from({ length: 2000 }, (_, n) =>
      rawRequest(
        'POST',
        '/hooks',
        [],
        JSON.stringify({ client_reference: `R${n}`, status: 'SUCCESS', pad: 'x'.repeat(400) }),
      ),
    );
    const { statuses } = await runLoad({ port: own, requests, total: QUEUED });
    expect(statuses).toEqual({ 200: QUEUED });
    const backend = await startBackend(undefined, port);
    const startedAt = performance.now();
    while (backend.taken.length < QUEUED && performance.now() - startedAt < 120_000) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(backend.taken.length).toBeGreaterThanOrEqual(QUEUED);
    expect(readPeakMib(command.child.pid!)).toBeLessThan(MOST_MIB);
    await command.stop();
    await backend.close();
  },
);
