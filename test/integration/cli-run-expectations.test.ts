import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answers, body, examples, headers, variables } from '../support/expectation-cases';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

let server: Server;
let baseUrl: string;
let folder: string;

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const answer = () => response.writeHead(201, headers.flat()).end(body);
    // As long as the lines about the time want it.
    if (url.endsWith('?slow')) setTimeout(answer, 105);
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = makeTemporaryFolder('expectations');
  for (const [name, text] of Object.entries(examples))
    writeFileSync(join(folder, `${name}.example.json`), text);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** What hangs on this machine's own time, or on a key, is judged elsewhere. */
const lines = answers.filter(([line]) => !/^(?:time <1|signature)/.test(line));
/** Lines of webhooks, states and balances have files of their own: cli-run.test.ts, cli-run-rows.test.ts. */
const given = Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}=${value}`]);

async function run(chosen: readonly string[]) {
  const block = (line: string, index: number): string =>
    `### r${index}\n# @expect ${line}\nPOST {{base_url}}/payments/v1/payouts${line.startsWith('time') ? '?slow' : ''}\n\n{}\n\n`;
  writeFileSync(join(folder, 'a.http'), chosen.map(block).join(''));
  const args = ['run', 'a.http', '--base-url', baseUrl, '--json', ...given];
  const { exitCode, json, stderr } = await runOnce(args, { cwd: folder });
  const results = json.filter(({ event }) => event === 'request');
  const judged = results.flatMap((result) => result['expectations'] as { text: string; outcome: string }[]);
  return { exitCode, stderr, judged };
}

it('holds each line that holds, read from a file and judged by a real answer', async () => {
  const chosen = lines.map(([held]) => held);
  const { exitCode, judged, stderr } = await run(chosen);
  expect(judged.filter(({ outcome }) => outcome !== 'held')).toEqual([]);
  expect([judged.length, exitCode, stderr]).toEqual([lines.length, 0, expect.stringContaining('passed')]);
});

it('fails each line that does not hold, and no other way', async () => {
  const chosen = lines.map(([, failed]) => failed);
  const { exitCode, judged } = await run(chosen);
  expect(judged.filter(({ outcome }) => outcome !== 'failed')).toEqual([]);
  expect([judged.length, exitCode]).toEqual([lines.length, 1]);
});

it('says in the words of a terminal what was not sent, and names no option that it has for something else', async () => {
  const text = 'POST http://127.0.0.1:9/x\nAuthorization: Bearer {{token.payout}}\n\n{}\n';
  writeFileSync(join(folder, 'away.http'), text);
  const args = ['run', 'away.http', '--env', 'local', '--data-directory', folder];
  const { stdout } = await runOnce(args, { cwd: folder, env: { COUNTERSIGN_TOKEN: 'one' } });
  expect(stdout).toMatch(
    /the local sandbox does not run, .*Start the app .*, or name a service with --base-url\./,
  );
  expect(stdout).not.toMatch(/--data |Start it/);
});
