import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { payoutBlock, startCountingService, type CountingService } from '../support/counting-service';
import { findFreePort } from '../support/free-port';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

let service: CountingService;
let folder: string;

beforeEach(async () => {
  service = await startCountingService();
  folder = makeTemporaryFolder('timing');
});
afterEach(() => service.close());

const run = (text: string, ...more: string[]) => {
  writeFileSync(join(folder, 'a.http'), text);
  const args = ['run', 'a.http', '--base-url', service.url, '--json', ...more];
  return runOnce(args, { cwd: folder, env: { COUNTERSIGN_TOKEN: 'token-of-the-timing' } });
};

it('waits for an answer no longer than --timeout, and says 3', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as AddressInfo;
  const { exitCode, json } = await run(`### slow\nGET http://127.0.0.1:${port}/\n`, '--timeout', '300');
  expect([exitCode, json[0]!['error_code']]).toEqual([3, 'sending.timeout']);
  expect(Number(json[0]!['duration_ms'])).toBeLessThan(5000);
  await new Promise((resolve) => silent.close(resolve));
});

it('waits --delay between two requests, and not before the first', async () => {
  const gets = ['a', 'b', 'c'].map((name) => `### ${name}\nGET {{base_url}}/${name}\n\n`).join('');
  const { json } = await run(gets, '--delay', '400');
  const startedAt = json.slice(0, 3).map((one) => Date.parse(String(one['started_at'])));
  expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(395);
  expect(startedAt[2]! - startedAt[1]!).toBeGreaterThanOrEqual(395);
});

it('receives webhooks where --callback-url leads from outside: at --listen-port', async () => {
  const port = await findFreePort();
  const callback = `http://127.0.0.1:${port}/tunnel`;
  const block = payoutBlock('pay', ['expect webhook within 10s status == SUCCESS'], 'R-1');
  const { exitCode } = await run(block, '--callback-url', callback, '--listen-port', String(port));
  expect(exitCode).toBe(0);
  const { body } = service.requests.find(({ path }) => path.startsWith('/payments/'))!;
  expect(JSON.parse(body)).toMatchObject({ callback_url: callback });
  const blind = await run(block, '--callback-url', callback);
  expect([blind.exitCode, blind.stderr]).toEqual([2, expect.stringContaining('--listen-port N')]);
  // Nothing is expected of them: they may go wherever they are sent.
  const plain = await run(payoutBlock('pay', ['expect status 201'], 'R-2'), '--callback-url', callback);
  expect(plain.exitCode).toBe(0);
});

it('says what its address for webhooks was sent and did not take', async () => {
  const port = await findFreePort();
  const blocks = ['R-1', 'R-2'].map((reference) =>
    payoutBlock(reference, ['expect webhook within 10s status == SUCCESS'], reference),
  );
  const running = run(blocks.join('\n'), '--listen-port', String(port), '--delay', '2000');
  const isSent = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end('nonsense\r\n\r\n'));
      socket.resume().once('close', (hadError) => resolve(!hadError));
      socket.on('error', () => undefined);
    });
  await expect.poll(isSent, { timeout: 15_000 }).toBe(true);
  const { stderr } = await running;
  expect(stderr).toContain('A request was not taken: the request line cannot be read (400, from 127.0.0.1).');
});
