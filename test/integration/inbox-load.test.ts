import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventBus } from '../../electron/platform/event-bus';
import { readGiven } from '../../electron/platform/given';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import {
  createHistoryService,
  type HistoryService,
} from '../../electron/services/history/create-history-service';
import { createInboxService, type InboxService } from '../../electron/services/inbox/create-inbox-service';
import { rawRequest, runLoad } from '../support/load-generator';
import { readSlowness } from '../support/processor-time';
import { makeTemporaryFolder } from '../support/temporary';
import { systemRandom } from '../../electron/platform/node-ports';

const WEBHOOKS = 20_000;
const limitMs = 50;
/** Bursts of which the quickest counts: other work on the machine can only add to what is measured. */
const mostBursts = 3;

/** Other programs keep every processor busy: what this thread waited for one is not ours to answer for. */
const isMachineBusy = loadavg()[0]! > availableParallelism() * 1.5;

/** Milliseconds that the main thread stood ready and had no processor (Linux); else 0. */
function readWaitedMs(): number {
  if (!isMachineBusy || process.platform !== 'linux') return 0;
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

let dataDirectory: string;
let inbox: InboxService;
let history: HistoryService;
const store = 'local';
const events = createEventBus();
const settings = new Map<string, unknown>();

beforeAll(async () => {
  dataDirectory = makeTemporaryFolder('load');
  const logger = { log: () => undefined };
  const clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
  history = createHistoryService({ ports: { clock, random: systemRandom, logger, dataDirectory }, events });
  inbox = createInboxService({
    readSealingKey: () => Promise.resolve(null),
    readWebhookKeys: () => Promise.resolve([]),
    readWebhookStates: () => ({}),
    readService: () => null,
    listProduction: () => Promise.resolve([]),
    findTeam: () => Promise.reject(new Error('there is none here')),
    readRetention: () => ({ count: null, ageMs: null, sizeBytes: null }),
    ports: {
      version: '0',
      dataDirectory,
      given: readGiven({}),
      logger,
      clock,
      http: () => Promise.reject(new Error('nothing is sent here')),
      random: { bytes: (count) => new Uint8Array(count), uuid: () => 'u' },
      settings: { get: (key) => settings.get(key), set: (key, value) => void settings.set(key, value) },
      startWorker: (name, options) =>
        startNodeWorker(pathToFileURL(resolve(`out/workers/${name}.js`)), options),
    },
    events,
    history,
  });
});
afterAll(async () => {
  await inbox.close();
  history.close();
});

/** Sends the webhooks while the list is read. @returns p99 of reading the list, in milliseconds */
async function measureBurst(port: number): Promise<number> {
  let told = 0;
  const toldAt: number[] = [];
  const unsubscribe = events.subscribe('inbox.received', ({ count }) => {
    told += count;
    toldAt.push(performance.now());
  });
  const requests = Array.from({ length: WEBHOOKS }, (_, index) =>
    rawRequest(
      'POST',
      '/webhooks',
      [['webhook-id', `wh_${index}`]],
      JSON.stringify({
        status: 'SUCCESS',
        amount: index,
        client_reference: `load-${index}`,
        payment_uuid: `${index}`,
      }),
    ),
  );
  let isOver = false;
  const load = runLoad({ port, requests, total: WEBHOOKS }).finally(() => (isOver = true));

  const latencies: number[] = [];
  const slownessBefore = readSlowness();
  while (!isOver) {
    const waitedMs = readWaitedMs();
    const startedAt = performance.now();
    await inbox.handlers['inbox.list']({ store, limit: 100, before: null, search: '', filter: 'all' });
    latencies.push(performance.now() - startedAt - (readWaitedMs() - waitedMs));
    await new Promise((done) => setTimeout(done, 5));
  }
  const result = await load;
  expect(result.statuses).toEqual({ 200: WEBHOOKS });
  latencies.sort((a, b) => a - b);
  expect(latencies.length).toBeGreaterThan(20);
  await expect.poll(() => told, { timeout: 10_000 }).toBe(WEBHOOKS);
  const spanSeconds = (toldAt.at(-1)! - toldAt[0]!) / 1000;
  expect(toldAt.length).toBeLessThanOrEqual(spanSeconds * 10 + 3);
  const page = await inbox.handlers['inbox.list']({
    store,
    limit: 1,
    before: null,
    search: '',
    filter: 'unread',
  });
  expect(page.unreadCount).toBe(WEBHOOKS);
  unsubscribe();
  // As the machine that the limit was set on would have taken.
  return latencies[Math.floor(latencies.length * 0.99)]! / ((slownessBefore + readSlowness()) / 2);
}

describe('a burst of 20,000 webhooks while the app is in use', () => {
  it('leaves calls answering within 50 ms at p99, and tells of every webhook in at most ten events a second', async () => {
    const { url } = await inbox.handlers['listener.start']({ id: 'main', port: 0 });
    const port = Number(new URL(url!).port);
    const p99s: number[] = [];
    // What is lost in any burst is lost: only the time is measured again.
    while (p99s.length < mostBursts && !p99s.some((p99) => p99 <= limitMs)) {
      await inbox.handlers['inbox.delete']({ store, isAll: true });
      p99s.push(await measureBurst(port));
    }
    expect(Math.min(...p99s)).toBeLessThanOrEqual(limitMs);
  });

  it('marks and deletes them, also while their index is being made', async () => {
    const newest = await inbox.handlers['inbox.list']({
      store,
      limit: 10,
      before: null,
      search: '',
      filter: 'all',
    });
    const ids = newest.webhooks.map(({ id }) => id);
    await inbox.handlers['inbox.markRead']({ store, ids, isAll: false, isRead: true });
    const unread = (): number => inbox.unreadCount();
    await expect.poll(unread, { timeout: 60_000 }).toBe(WEBHOOKS - 10);
    expect(await inbox.handlers['inbox.delete']({ store, ids: ids.slice(0, 3), isAll: false })).toEqual({
      deletedCount: 3,
    });
    await expect(inbox.handlers['inbox.get']({ store, id: ids[0]!, isWhole: false })).rejects.toMatchObject({
      code: 'inbox.unknown',
    });
    await inbox.handlers['inbox.markRead']({ store, isAll: true, isRead: true });
    expect(unread()).toBe(0);
    await inbox.handlers['inbox.delete']({ store, isAll: true });
    const { totalCount } = await inbox.handlers['inbox.list']({
      store,
      limit: 1,
      before: null,
      search: '',
      filter: 'all',
    });
    expect(totalCount).toBe(0);
  });
});
