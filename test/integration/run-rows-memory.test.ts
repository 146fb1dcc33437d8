import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const ROWS = 10_000;
/**
 * The old space of the heap that the run may have, in MiB. What is kept of a row may be its reference, and little more: 16
 * are enough then, and 48 as fast as without a limit; whole results of so many rows need over 65. A limit that Node keeps
 * says that for certain, and what the system counts does not: garbage is collected as late as the machine lets it.
 */
const HEAP_MIB = 48;

let server: Server;
let url: string;
const references = new Set<string>();
let count = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      count += 1;
      references.add((JSON.parse(body) as { transaction: { reference: string } }).transaction.reference);
      const data = { payment_uuid: String(count) };
      response.writeHead(201, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ status: '200.100', code: 'ACCEPTED', description: 'ok', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Runs so many rows in so small a heap. @returns how it ended, and what it said at the end */
async function runRows(rows: number): Promise<[number | NodeJS.Signals | null, string]> {
  const folder = makeTemporaryFolder('rows-memory');
  const lines = Array.from(
    { length: rows },
    (_, index) => `salary-${rows}-${index},Person ${index},${1000 + index}`,
  );
  writeFileSync(join(folder, 'rows.csv'), `reference,name,amount\n${lines.join('\n')}\n`);
  const body =
    '{"transaction":{"reference":"{{row.reference}}","amount":{{row.amount}}},"recipient":{"name":"{{row.name}}"}}';
  const head = '# @expect status 201\n# @capture payment = body data.payment_uuid';
  writeFileSync(
    join(folder, 'a.http'),
    `### pay\n${head}\nPOST {{base_url}}/payments/v1/payouts\nAuthorization: Bearer {{token.payout}}\nContent-Type: application/json\n\n${body}\n`,
  );
  const args = ['run', join(folder, 'a.http'), '--base-url', url, '--data', join(folder, 'rows.csv')];
  // What remembers rows on the disk is tried elsewhere: here it would be the disk that is measured.
  const run = startCli([...args, '--reporter', 'junit'], {
    env: { COUNTERSIGN_TOKEN: 'token-of-the-load' },
    nodeArgs: [`--max-old-space-size=${HEAP_MIB}`],
  });
  const end = await new Promise<number | NodeJS.Signals | null>((resolve) => {
    run.child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return [end, run.readErrors()];
}

it('runs a salary file of 10,000 rows, each once, in bounded memory', async () => {
  expect(await runRows(ROWS)).toEqual([0, expect.stringContaining(`${ROWS} passed`)]);
  expect([count, references.size]).toEqual([ROWS, ROWS]);
}, 300_000);
