import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { InboxIndexer } from '../../electron/listener/inbox-indexer';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { WebhookWriter } from '../../electron/listener/webhook-writer';
import { openDatabase } from '../../electron/platform/database/database';
import { cliEntry, startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { casesOf } from '../support/effort';

const WEBHOOKS = 300;
const PAGE = 4096;
const SEEDS = casesOf(6, 56);
/** Each case in a folder of its own. */
const SHARES = 2;
const run = promisify(execFile);

let folder: string;
let pristine: string;

beforeAll(() => {
  folder = makeTemporaryFolder('damage');
  pristine = join(folder, 'pristine.db');
  const database = openDatabase({ file: pristine, migrations: inboxMigrations });
  const webhooks = Array.from({ length: WEBHOOKS }, (_, index) => ({
    receivedAt: Date.now(),
    respondedStatus: 200,
    remoteAddress: '127.0.0.1',
    rule: null,
    fullBytes: null,
    head: Buffer.from(`POST /webhooks HTTP/1.1\r\nHost: x\r\nwebhook-id: wh_${index}`),
    body: Buffer.from(
      `{"status":"SUCCESS","client_reference":"R-${index}","pad":"${'x'.repeat((index * 37) % 9000)}"}`,
    ),
  }));
  new WebhookWriter(database).write(webhooks, Date.now());
  const indexer = new InboxIndexer(database);
  while (!indexer.runSlice(200));
  database.close();
});

/** A repeatable draw from 0 to 1. */
function createDraw(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Zeroes pages, or turns bytes over, at places that the seed chooses. */
function damage(file: string, seed: number): void {
  const draw = createDraw(seed);
  const bytes = readFileSync(file);
  const pages = bytes.length / PAGE;
  for (let count = 1 + Math.floor(draw() * 4); count > 0; count--) {
    const page = Math.floor(draw() * pages);
    if (draw() < 0.5) bytes.fill(0, page * PAGE, (page + 1) * PAGE);
    else {
      for (let flips = 0; flips < 40; flips++) {
        const at = page * PAGE + Math.floor(draw() * PAGE);
        bytes[at] = bytes[at]! ^ (1 + Math.floor(draw() * 255));
      }
    }
  }
  writeFileSync(file, bytes);
}

async function trySeed(seed: number): Promise<{ httpStatus: number | null; kept: number; said: string }> {
  const data = join(folder, `seed-${seed}`);
  mkdirSync(data);
  const file = join(data, 'inbox.db');
  copyFileSync(pristine, file);
  damage(file, seed);
  const listener = startCli(['listen', '--port', '0', '--data', data, '--json']);
  const ready = await listener.waitForLine(({ event }) => event === 'ready').catch(() => null);
  const reference = `after-${seed}`;
  const response =
    ready === null
      ? null
      : await fetch(`${String(ready['url'])}/webhooks`, {
          method: 'POST',
          body: JSON.stringify({ client_reference: reference }),
        });
  const listed = await run(process.execPath, [
    cliEntry,
    'inbox',
    'list',
    '--limit',
    '5000',
    '--json',
    '--data',
    data,
  ])
    .then(({ stdout }) => stdout.trim().split('\n'))
    .catch((error: { stderr: string }) => error.stderr);
  await listener.stop('SIGTERM');
  const said = listener.readOutput();
  expect(said, `seed ${seed}`).not.toContain('app.internal');
  if (response?.ok !== true) return { httpStatus: response?.status ?? null, kept: 0, said };
  expect(listed, `seed ${seed}`).toBeInstanceOf(Array);
  const rows = (listed as string[]).map((line) => JSON.parse(line) as { client_reference: string | null });
  expect(
    rows.some(({ client_reference }) => client_reference === reference),
    `seed ${seed}`,
  ).toBe(true);
  return { httpStatus: response.status, kept: rows.length - 1, said };
}

describe('an inbox damaged at random places', () => {
  it.each(Array.from({ length: SHARES }, (_, share) => share))(
    'never takes a webhook that cannot be listed, and saves most of what it held, share %i',
    async (share) => {
      const kept: number[] = [];
      for (let seed = share; seed < SEEDS; seed += SHARES) {
        const result = await trySeed(seed);
        expect(result.httpStatus, `seed ${seed}: ${result.said}`).toBe(200);
        kept.push(result.kept);
      }
      expect(kept.filter((count) => count > WEBHOOKS * 0.5).length).toBeGreaterThan(kept.length * 0.8);
    },
  );
});
