import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const directory = makeTemporaryFolder('cli-list-stopped');
const token = { access_token: 'abc', token_type: 'Bearer', expires_in: 3600 };
const found = { status: '200.100', code: 'ACCEPTED', data: { state: 'processing', payment_uuid: '1' } };

it.each([
  [
    '--csv',
    '2,transaction_reference,R-2,not_known,',
    ',1,"Asked, and not answered when the list was stopped."',
  ],
  [
    '--json',
    '"value":"R-2","outcome":"not_known"',
    '"reason":"Asked, and not answered when the list was stopped."',
  ],
])(
  'status --list %s that is ended by Ctrl+C or SIGTERM, while one is not answered, tells each payment: what is known, and what was not asked',
  async (form, ...second) => {
    const [signal, exitCode] = form === '--json' ? (['SIGTERM', 143] as const) : (['SIGINT', 130] as const);
    let queries = 0;
    let isHeld = (): void => undefined;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const service = createServer(({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      if (url === '/auth/v1/token') return void response.end(JSON.stringify(token));
      queries += 1;
      if (queries === 1) return void response.end(JSON.stringify(found));
      isHeld();
    });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    const list = join(directory, 'list.txt');
    writeFileSync(list, 'R-1\nR-2\nR-3\nR-4\n');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const command = startCli(
      ['status', '--list', list, form, '--product', 'payout', '--per-second', '50', '--base-url', url],
      { env: { COUNTERSIGN_CONSUMER_KEY: 'k', COUNTERSIGN_CONSUMER_SECRET: 's' } },
    );
    await held;
    // Each row is there as soon as it is known, in CSV, too.
    await vi.waitFor(() => expect(command.readOutput()).toMatch(/R-1.*processing.*\n$/), 5000);
    const startedAt = performance.now();
    await command.stop(signal);
    service.closeAllConnections();
    service.close();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(command.child.exitCode).toBe(exitCode);
    const remark = '1 of 4 found. 2 not asked: the list was stopped before their turn.';
    const said = form === '--json' ? JSON.stringify({ event: 'remark', message: remark }) : remark;
    expect(command.readErrors()).toBe(`${said}\n`);
    // A line's end is none of its last cell.
    expect(command.readOutput()).not.toMatch(/\\x0d|\r/);
    const lines = command
      .readOutput()
      .split('\n')
      .filter((line) => line.includes('R-'));
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/R-1.*found.*processing/);
    for (const text of second) expect(lines[1]).toContain(text);
    for (const line of lines.slice(2))
      expect(line).toMatch(/not_asked.*The list was stopped before its turn\./);
    expect(queries).toBe(2);
  },
);
