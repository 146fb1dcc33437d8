import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import { createPruning } from '../../platform/database/prune-oldest';
import { countThreadMs } from '../../../test/support/processor-time';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readPublicKey } from '../../sandbox/admission/read-public-key';
import type { CapturedExchange } from './captured-exchange';
import { serveExchangeHelper, type ExchangeHelper } from './exchange-helper';
import { prepareExchange } from './prepare-exchange';
import { detailExchange } from './view-exchange';
import { ProxyRecorder } from './exchange-recorder';
import type { ExchangeStore } from './exchange-store';
import type { StoredExchange } from './stored-exchange';

const message = { headers: [], body: Buffer.from('{}'), bodyBytes: 2 };
const exchange: CapturedExchange = {
  at: 1_700_000_000_000,
  durationMs: 1,
  method: 'GET',
  target: '/x',
  request: message,
  answer: { ...message, httpStatus: 200 },
  ownStatus: null,
  fault: null,
};

it('tells of what is on the disk alone, once that it is full, and how much went by', async () => {
  let isFull = true;
  const told: string[] = [];
  const problems: string[] = [];
  const store = {
    insertAll() {
      if (isFull) throw new Error('The disk is full. Free some.');
    },
  } as unknown as ExchangeStore;
  const options = { store, keys: () => [], origin: 'http://a', secrets: () => [] };
  const recorder = new ProxyRecorder({
    ...options,
    onStored: ({ path }) => told.push(path),
    onProblem: (problem) => problems.push(problem),
  });
  const pass = (): Promise<void> => {
    recorder.add(exchange);
    return recorder.close();
  };
  await pass();
  await pass();
  expect([told, problems]).toEqual([
    [],
    ['Exchanges pass, but cannot be kept: The disk is full. Free some. They are missing until it is mended.'],
  ]);
  isFull = false;
  await pass();
  expect(told).toEqual(['/x']);
  expect(problems[1]).toBe('Exchanges are kept again. 2 passed before without being kept.');
});

/** A body that takes long to judge and mask. */
const hostile = Buffer.from('\\"'.repeat(512 * 1024));
const large = (target: string): CapturedExchange => ({
  ...exchange,
  target,
  request: { headers: [], body: hostile, bodyBytes: hostile.length },
});

/** A recorder over a store that takes all, with a helper that answers when it is let. */
function createStage(prepare: ExchangeHelper['call']) {
  const told: { path: string; kept: number }[] = [];
  const problems: string[] = [];
  const store = { insertAll: () => undefined } as unknown as ExchangeStore;
  const recorder = new ProxyRecorder(
    {
      store,
      keys: () => [],
      origin: 'http://a',
      secrets: () => [],
      onStored: ({ path, requestBody }) => told.push({ path, kept: requestBody.length }),
      onProblem: (problem) => problems.push(problem),
    },
    () => ({
      call: prepare,
      onEvent: () => undefined,
      onExit: () => undefined,
      terminate: () => Promise.resolve(),
    }),
  );
  return { told, problems, recorder };
}

it('leaves large bodies to another thread, in order, and holds the loop for none of them', async () => {
  const asked: string[] = [];
  const { told, recorder } = createStage((async (_method: string, input: { exchange: CapturedExchange }) => {
    asked.push(input.exchange.target);
    await new Promise((resolve) => setTimeout(resolve, 20));
    // Bytes cross as plain arrays.
    return structuredClone({ stored: { path: input.exchange.target, requestBody: hostile }, question: null });
  }) as never);
  const readMs = countThreadMs();
  for (const target of ['/1', '/2', '/3']) recorder.add(large(target));
  recorder.add(exchange);
  await recorder.close();
  expect(asked).toEqual(['/1', '/2', '/3']);
  expect(told.map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/x']);
  expect(readMs()).toBeLessThan(100);
});

it('keeps no bodies once more wait than can be looked at, nor those that its thread fails on, and says so', async () => {
  const { told, problems, recorder } = createStage((async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    throw new Error('out of memory');
  }) as never);
  for (let count = 0; count < 60; count++) recorder.add(large(`/${count}`));
  await recorder.close();
  expect(told.map(({ path }) => path)).toEqual(Array.from({ length: 60 }, (_, count) => `/${count}`));
  expect(told.every(({ kept }) => kept === 0)).toBe(true);
  expect(problems.filter((problem) => problem.includes('faster than their bodies'))).toHaveLength(1);
  expect(problems.at(-1)).toContain('out of memory');
});

/** Signed, and not by the key that is known. */
const refused = (reference: string, note = ''): CapturedExchange => {
  const body = Buffer.from(
    JSON.stringify({
      transaction: { reference, amount: 1, service_code: 'S' },
      originator: { country: 'KE' },
      note,
    }),
  );
  const headers = ['X-Custom-Signature', 'QUFB'.repeat(86)];
  return {
    ...exchange,
    method: 'POST',
    target: '/payments/v1/payouts',
    request: { headers, body, bodyBytes: body.length },
  };
};

it('keeps what a signature was judged by before the doctor is asked: it may never be', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const setting = { origin: 'http://a', secrets: [] };
  const { stored } = prepareExchange('e', refused('R'), [key], setting);
  expect(detailExchange(stored)).toMatchObject({ diagnosis: null, publicKeyPem: key.pem });
});

it('ends soon and tells of all however long the doctor takes, and keeps what is large meanwhile', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const events: string[] = [];
  const said: string[] = [];
  const store = {
    insertAll: (all: StoredExchange[]) => events.push(...all.map(({ reference }) => `kept ${reference}`)),
    updateDetail: () => undefined,
  } as unknown as ExchangeStore;
  const start = (): ExchangeHelper => {
    const own = serveExchangeHelper();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let before = Promise.resolve();
    const call = async (method: string, input: never): Promise<unknown> => {
      await before;
      if (method === 'prepare') return own.prepare(input);
      events.push('asked');
      before = ended;
      await ended;
      throw new Error('It was ended.');
    };
    return { call, onExit: () => undefined, terminate: async () => end() } as unknown as ExchangeHelper;
  };
  const recorder = new ProxyRecorder(
    {
      store,
      keys: () => [key],
      origin: 'http://a',
      secrets: () => [],
      onStored({ reference, detail }) {
        events.push(`told ${reference}`);
        said.push(detail.signature!.explanation ?? 'nothing');
      },
      onProblem: (problem) => events.push(problem),
    },
    start,
    50,
  );
  for (let count = 0; count < 60; count += 1) recorder.add(refused(`R${count}`));
  await vi.waitFor(() => expect(events).toContain('asked'));
  recorder.add(refused('large', 'x'.repeat(20_000)));
  await vi.waitFor(() => expect(events).toContain('kept large'));
  await recorder.close();
  const counts = (beginning: string): number => events.filter((event) => event.startsWith(beginning)).length;
  expect([counts('kept'), counts('told'), counts('asked')]).toEqual([61, 61, 1]);
  expect(events).toHaveLength(123);
  const countSaid = (pattern: RegExp): number => said.filter((text) => pattern.test(text)).length;
  expect([countSaid(/: 50 others were waiting/), countSaid(/the proxy was ended first/)]).toEqual([11, 50]);
});

it('the helper judges and masks what crossed to it, as the loop would', () => {
  const body = Buffer.from(`{"consumer_secret":"${'s'.repeat(20_000)}"}`);
  const sent = structuredClone({ ...large('/auth/v1/token'), request: { headers: [], body, bodyBytes: 9 } });
  const setting = { origin: 'http://a', secrets: [] };
  const { stored } = serveExchangeHelper().prepare({ id: 'px_1', exchange: sent, keys: [], setting });
  expect(stored.requestBody.toString()).toBe('{"consumer_secret":"ssss…ssss"}');
});

it('forgets nothing more once the disk has room again: what was taken back is not counted', () => {
  const db = openDatabase({
    file: join(makeTemporaryFolder('prune'), 'prune.db'),
    migrations: [
      {
        id: 1,
        name: 'rows',
        sql: 'CREATE TABLE rows (seq INTEGER PRIMARY KEY, size_bytes INTEGER NOT NULL, bytes BLOB) STRICT;',
      },
    ],
  });
  const kept = createPruning(db, { table: 'rows', mostRows: 100, mostBytes: 50_000 });
  const insert = db.prepare('INSERT INTO rows (size_bytes, bytes) VALUES (?, ?)');
  const add = kept.transaction((count: number) => {
    for (let at = 0; at < count; at++) {
      insert.run([4000, Buffer.alloc(4000)]);
      kept.bytes += 4000;
    }
    kept.prune();
  });
  add(5);
  db.exec('PRAGMA max_page_count = 12');
  for (let turn = 0; turn < 5; turn++) expect(() => add(10)).toThrow('No space is left');
  db.exec('PRAGMA max_page_count = 1000');
  add(1);
  expect(db.prepare('SELECT count(*) AS count FROM rows').get()).toEqual({ count: 6 });
  db.close();
});
