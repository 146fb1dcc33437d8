import { existsSync, readFileSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../platform/node-ports';
import type { Exchange, Reading } from '@shared/contract/sending';
import type { ParsedInput } from '@shared/contract/contract';
import { countThreadMs } from '../../../test/support/processor-time';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDatabase } from '../../platform/database/database';
import { createEventBus } from '../../platform/event-bus';
import { formatSortableId } from '../../platform/sortable-id';
import { createHistoryService, type HistoryService } from './create-history-service';
import { historyMigrations } from './history-schema';
import { pruneHistory, type HistoryRetention } from './tidy-history';
import { join } from 'node:path';

const dayMs = 24 * 60 * 60_000;
const start = Date.UTC(2026, 0, 1);
let now: number;
let history: HistoryService;
let dataDirectory: string;

const events = createEventBus();

function open(retention?: () => HistoryRetention): HistoryService {
  return createHistoryService({
    ...(retention && { retention }),
    ports: {
      clock: { now: () => now, monotonicMs: () => 0 },
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory,
    },
    events,
  });
}

beforeEach(() => {
  now = start;
  dataDirectory = makeTemporaryFolder('history-work');
  history = open();
});

/** Keeps an exchange that ended; each is sent a day after the one before. */
function keep(given: {
  url?: string;
  reference?: string;
  body?: string;
  answer?: string | Buffer;
  headers?: [string, string][];
  outcome?: Reading['outcome'] | null;
}): string {
  now += dayMs;
  const id = history.nextId();
  const { url = 'http://x/', reference = 'R', body = '{}', answer = 'ok', outcome = 'accepted' } = given;
  const { headers = [] } = given;
  const exchange: Exchange = {
    id,
    environment: 'local',
    operation: 'payout',
    identity: null,
    title: 'Payout',
    sentAt: now,
    reference,
    request: {
      method: 'POST',
      url,
      headers: [],
      body,
      stringToSign: null,
      signature: null,
      keyFingerprint: null,
      spans: [],
    },
    response:
      outcome === null
        ? null
        : {
            httpStatus: 201,
            headers,
            body: String(answer),
            bodyBase64: null,
            sizeBytes: answer.length,
            isCut: false,
            requestId: null,
          },
    timings: null,
    reading:
      outcome === null
        ? null
        : {
            outcome,
            title: 'told',
            code: null,
            status: null,
            description: null,
            paymentUuid: null,
            paymentReference: null,
            state: null,
            fieldErrors: [],
            checkoutUrl: null,
          },
    error: outcome === null ? { code: 'sending.timeout', message: 'No answer came in time.' } : null,
  };
  history.begin(exchange, 'payout');
  history.finish(exchange, 'payout', outcome === null ? null : Buffer.from(answer));
  return id;
}

const list = (query: Partial<ParsedInput<'history.list'>> = {}) =>
  history.handlers['history.list']({ limit: 100, before: null, ...query });
const ids = async (query: Partial<ParsedInput<'history.list'>>) =>
  (await list(query)).exchanges.map(({ id }) => id);

describe('the history as it is worked with', () => {
  it('finds by reference, address, both bodies, outcome and time, every word of it', async () => {
    const byUrl = keep({ url: 'http://x/balances?currency=KES' });
    const byBody = keep({ body: '{"name":"Ünal 100%_"}' });
    const byAnswer = keep({ answer: '{"payment_uuid":"778899"}', outcome: 'rejected' });
    const byReference = keep({ reference: 'INV-77', outcome: null });
    expect(await ids({ search: 'currency=kes' })).toEqual([byUrl]);
    expect(await ids({ search: '100%_' })).toEqual([byBody]);
    expect(await ids({ search: 'ünal' })).toEqual([byBody]);
    expect(await ids({ search: 'ÜNAL' })).toEqual([byBody]);
    expect(await ids({ search: '778899 payout' })).toEqual([byAnswer]);
    expect(await ids({ search: '778899 balances' })).toEqual([]);
    expect(await ids({ search: 'inv-77' })).toEqual([byReference]);
    expect(await ids({ outcome: 'refused' })).toEqual([byAnswer]);
    expect(await ids({ outcome: 'no_answer' })).toEqual([byReference]);
    expect(await ids({ search: 'rejected' })).toEqual([byAnswer]);
    expect(await ids({ search: 'Refused payout' })).toEqual([byAnswer]);
    expect(await ids({ search: 'no_answer' })).toEqual([byReference]);
    expect(await ids({ search: '201' })).toEqual([byAnswer, byBody, byUrl]);
    expect(await ids({ search: '20' })).toEqual([]);
    expect(await ids({ outcome: 'good', search: 'post' })).toEqual([byBody, byUrl]);
    expect(await ids({ from: start + 2 * dayMs, until: start + 4 * dayMs })).toEqual([byAnswer, byBody]);
    expect(await ids({ from: start + 3 * dayMs, search: '778899' })).toEqual([byAnswer]);
  });

  it('keeps pins through the answer that comes later, and lists them alone', async () => {
    const id = keep({});
    keep({});
    history.handlers['history.pin']({ ids: [id, 'nothing'], isPinned: true });
    expect(await ids({ isPinned: true })).toEqual([id]);
    const exchange = await history.handlers['history.get']({ id });
    history.finish(exchange, 'payout', Buffer.from('later'));
    expect(await list({ isPinned: true })).toMatchObject({ exchanges: [{ id, isPinned: true }] });
    history.handlers['history.pin']({ ids: [id], isPinned: false });
    expect(await ids({ isPinned: true })).toEqual([]);
  });

  it('empties the log at once where what goes in one slice is all that is too many', () => {
    for (let count = 0; count < 205; count++) keep({ answer: 'Amina' });
    history.close();
    const file = join(dataDirectory, 'history.db');
    const database = openDatabase({ file, migrations: historyMigrations });
    const sizeOfLog = (): number => statSync(`${file}-wal`).size;
    expect(pruneHistory(database, { most: 5, days: 0 }, now)).toBe(200);
    expect(sizeOfLog()).toBe(0);
    database.close();
    history = open();
  });

  it('forgets what is too many or too old, the oldest first, and never a pinned one', async () => {
    const kept = Array.from({ length: 10 }, () => keep({ answer: 'x'.repeat(50) }));
    history.handlers['history.pin']({ ids: [kept[1]!], isPinned: true });
    history.close();
    const file = join(dataDirectory, 'history.db');
    const database = openDatabase({ file, migrations: historyMigrations });
    expect(pruneHistory(database, { most: 0, days: 0 }, now)).toBe(0);
    expect(pruneHistory(database, { most: 5, days: 0 }, now)).toBe(4);
    expect(pruneHistory(database, { most: 5, days: 0 }, now)).toBe(0);
    expect(pruneHistory(database, { most: 0, days: 2 }, now + 1)).toBe(3);
    const left = database.prepare('SELECT count(*) AS rows FROM exchange_bodies').get() as { rows: number };
    expect(left.rows).toBe(3);
    database.close();
    history = open();
    expect(await ids({})).toEqual([kept[9], kept[8], kept[1]]);
  });

  it('forgets at once what a changed setting keeps no longer', async () => {
    let most = 0;
    history = open(() => ({ most, days: 0 }));
    const kept = Array.from({ length: 4 }, () => keep({}));
    most = 1;
    events.emit('settings.changed', { names: ['theme'] });
    events.emit('settings.changed', { names: ['historyMost'] });
    await expect.poll(() => ids({}), { timeout: 3000 }).toEqual([kept[3]]);
    history.close();
  });

  it('finds what an answer says in another character set', async () => {
    const typed = (charset: string): [string, string][] => [
      ['Content-Type', `text/plain; charset=${charset}`],
    ];
    const wide = keep({ answer: Buffer.from('Zürich '.repeat(3000), 'utf16le'), headers: typed('utf-16le') });
    const latin = keep({ answer: Buffer.from('Genève', 'latin1'), headers: typed('iso-8859-1') });
    const long = keep({ answer: 'Ä'.repeat(20_000), headers: typed('iso-8859-1') });
    expect(await ids({ search: 'zürich' })).toEqual([wide]);
    expect(await ids({ search: 'genève' })).toEqual([latin]);
    expect(await ids({ search: 'ää' })).toEqual([long]);
  });

  it('leaves nothing in its file of what it forgot', () => {
    const id = keep({
      body: '{"name":"Amina-of-the-body"}',
      answer: `Amina-of-the-answer ${'x'.repeat(20_000)}`,
    });
    const file = join(dataDirectory, 'history.db');
    const read = (): string =>
      [file, `${file}-wal`].map((one) => (existsSync(one) ? readFileSync(one, 'latin1') : '')).join('');
    expect(read()).toContain('Amina-of-the-answer');
    history.handlers['history.delete']({ ids: [id] });
    // At once: a process that is killed empties nothing.
    expect(read()).not.toContain('Amina');
    history.close();
    expect(read()).not.toContain('Amina');
    history = open();
  });

  it('deletes for good, and leaves what is under way', async () => {
    const [first, second] = [keep({}), keep({})];
    const under = history.nextId();
    history.begin({ ...(await history.handlers['history.get']({ id: first })), id: under }, 'payout');
    expect(history.handlers['history.delete']({ ids: [first, under, 'nothing'] })).toEqual({ deleted: 1 });
    expect(await ids({})).toEqual([under, second]);
    expect(await ids({ search: 'payout' })).toEqual([under, second]);
  });

  it('brings bodies, pins and searched texts to a file of the schema before, with a copy of it', async () => {
    history.close();
    dataDirectory = makeTemporaryFolder('history-before');
    const file = join(dataDirectory, 'history.db');
    const before = openDatabase({ file, migrations: historyMigrations.slice(0, 3) });
    const detail = JSON.stringify({
      id: formatSortableId(7),
      title: 'Old',
      request: { body: null },
      response: { headers: [], body: '', bodyBase64: null },
    });
    before
      .prepare(
        `INSERT INTO exchanges (id, environment, operation, title, sent_at, reference, method, url, summary,
           is_signed, is_finished, detail, request_body, response_body)
         VALUES (7, 'local', 'payout', 'Old', 5, 'R', 'POST', 'http://x/', 'Accepted', 1, 1, ?, ?, ?)`,
      )
      .run([detail, '{"a":"ä"}', Buffer.from([0xc3, 0xa4, 0xff])]);
    before.close();
    history = open();
    expect(await history.handlers['history.get']({ id: formatSortableId(7) })).toMatchObject({
      request: { body: '{"a":"ä"}' },
      response: { bodyBase64: Buffer.from([0xc3, 0xa4, 0xff]).toString('base64') },
    });
    expect(await list({ search: 'accepted "ä"' })).toMatchObject({
      exchanges: [{ title: 'Old', isPinned: false }],
    });
    const copy = openDatabase({ file: `${file}.before-4`, migrations: historyMigrations.slice(0, 3) });
    expect(copy.prepare('SELECT request_body FROM exchanges').all()).toEqual([{ request_body: '{"a":"ä"}' }]);
    copy.close();
  });

  it('lists and searches a hundred thousand without holding anybody up', async () => {
    keep({});
    history.close();
    const file = join(dataDirectory, 'history.db');
    const database = openDatabase({ file, migrations: historyMigrations, pragmas: { synchronous: 'OFF' } });
    database.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO exchanges (id, environment, operation, title, sent_at, reference, method, url, outcome, summary,
        is_signed, is_finished, detail)
        SELECT i, 'local', 'payout', 'Payout', i, 'R-' || i, 'POST', 'http://x/', 'accepted', 'told', 1, 1, '{}' FROM n;
      INSERT INTO exchange_texts SELECT id, reference || hex(zeroblob(500)) FROM exchanges WHERE id <= 100000;
    `);
    database.close();
    history = open();
    const longest = await watchTurns(async () => {
      expect((await list()).exchanges).toHaveLength(100);
      let before: string | null = null;
      const found: (string | null)[] = [];
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ search: 'r-77777', before });
        found.push(...page.exchanges.map(({ reference }) => reference));
        before = page.nextBefore;
      } while (before !== null);
      expect(found).toEqual(['R-77777']);
    });
    // A slice takes a few; the room is for a slow machine.
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(250);
  }, 30_000);
});

/** The longest time in which nothing else had its turn, in milliseconds that this thread worked. */
async function watchTurns(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let readMs = countThreadMs();
  const timer = setInterval(() => {
    longest = Math.max(longest, readMs());
    readMs = countThreadMs();
  }, 1);
  await work();
  clearInterval(timer);
  return longest;
}
