import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import type { AppError } from '@shared/errors';
import { readAnswer } from '@shared/payments/read-answer';
import { createEventBus } from '../../platform/event-bus';
import { openDatabase } from '../../platform/database/database';
import { systemRandom } from '../../platform/node-ports';
import { formatSortableId } from '../../platform/sortable-id';
import { createHistoryService } from './create-history-service';
import { historyMigrations } from './history-schema';
import { makeTemporaryFolder } from '../../../test/support/temporary';

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = makeTemporaryFolder('history');
});

const open = (onRescued?: (message: string) => void, events = createEventBus()) =>
  createHistoryService({
    ...(onRescued && { onRescued }),
    ports: {
      clock: { now: () => 1_800_000_000_000, monotonicMs: () => 0 },
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory,
    },
    events,
  });

const exchange = (id: string): Exchange => ({
  id,
  environment: 'local',
  operation: 'payout',
  identity: null,
  title: 'Payout',
  sentAt: 1_800_000_000_000,
  reference: 'R',
  request: {
    method: 'POST',
    url: 'http://x/',
    headers: [['a', 'b']],
    body: '{"transaction":{"reference":"R","amount":1e3}}',
    stringToSign: null,
    signature: null,
    keyFingerprint: null,
    spans: [],
  },
  response: null,
  timings: null,
  reading: null,
  error: null,
});

describe('history', () => {
  it('tells of what another process sends and gets over the same data directory', async () => {
    const events = createEventBus();
    const told: unknown[] = [];
    const app = open(undefined, events);
    await app.handlers['history.list']({ limit: 1, before: null });
    events.subscribe('history.changed', () => told.push('history'));
    events.subscribe('journey.changed', (journeys) => told.push(journeys));
    const command = open();
    const id = command.nextId();
    command.begin(exchange(id), 'payout');
    const both = ['history', { references: ['R'] }];
    await vi.waitFor(() => expect(told).toEqual(expect.arrayContaining(both)), { timeout: 5000 });
    told.length = 0;
    command.finish(exchange(id), 'payout', null);
    await vi.waitFor(() => expect(told).toEqual(expect.arrayContaining(both)), { timeout: 5000 });
    app.close();
    command.close();
  });

  it('gives two processes ids of their own within one millisecond, and never replaces another request', () => {
    const [one, other] = [open(), open()];
    const drawn = vi.spyOn(systemRandom, 'bytes');
    drawn.mockReturnValueOnce(Uint8Array.of(0, 7)).mockReturnValueOnce(Uint8Array.of(1, 2));
    const id = one.nextId();
    expect(other.nextId()).not.toBe(id);
    drawn.mockRestore();
    one.begin(exchange(id), 'payout');
    expect(() => other.begin({ ...exchange(id), title: 'Other' }, 'payout')).toThrow(/UNIQUE/);
    one.close();
    other.close();
  });

  it('replaces a damaged file with the first use, not at the start, says so, and keeps it as it is', () => {
    const file = join(dataDirectory, 'history.db');
    writeFileSync(file, Buffer.alloc(8192));
    const said: string[] = [];
    const service = open((message) => said.push(message));
    expect(said).toEqual([]);
    expect(service.store.findAnswered('R', null).row).toBeNull();
    const id = service.nextId();
    service.begin(exchange(id), 'payout');
    service.close();
    expect(said).toEqual([expect.stringContaining('history.db was damaged. 0 exchanges were saved')]);
    expect(readFileSync(`${file}.damaged`)).toEqual(Buffer.alloc(8192));
  });

  it('reads every other exchange where the text of one was damaged and its page is sound', () => {
    const service = open(() => undefined);
    const [broken, sound] = [service.nextId(), service.nextId()];
    for (const id of [broken, sound]) service.begin(exchange(id), 'payout');
    const other = openDatabase({ file: join(dataDirectory, 'history.db'), migrations: historyMigrations });
    other.exec("UPDATE exchanges SET is_signed = 1, reference = 'R-1'");
    other.exec('UPDATE exchanges SET detail = \'{"x": nul\' WHERE id = (SELECT min(id) FROM exchanges)');
    other.close();
    const { store } = service;
    expect(store.listOwnLocal(9)).toHaveLength(2);
    expect(store.listSigned(9)).toHaveLength(2);
    expect(store.hasCheckoutUrl('https://pay.example/')).toBe(false);
    expect(store.findByAnswer('no-such', 9)).toEqual([]);
    expect(store.isKnownRequest('no-such', 'r')).toBe(false);
    expect(service.handlers['history.get']({ id: sound })).toMatchObject({ id: sound });
    expect(() => service.handlers['history.get']({ id: broken })).toThrow('A row of history.db is damaged');
    service.close();
  });

  it('saves what can be read where damage is met while it runs', async () => {
    const file = join(dataDirectory, 'history.db');
    const said: string[] = [];
    const service = open((message) => said.push(message));
    const ids = Array.from({ length: 40 }, () => service.nextId());
    for (const id of ids) service.begin({ ...exchange(id), title: 'x'.repeat(3000) }, 'payout');
    const other = openDatabase({ file, migrations: historyMigrations });
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(file);
    // The last pages: the rows that came last. In place: the file stays the same.
    writeFileSync(file, bytes.fill(0x5a, bytes.length - 20 * 4096), { flag: 'r+' });
    // Every connection reads anew: its own pages are older than this change.
    other.exec(`PRAGMA user_version = ${historyMigrations.at(-1)!.id}`);
    other.close();
    const read = async (): Promise<string[]> => {
      const answers = await Promise.allSettled(
        ids.map(async (id) => service.handlers['history.get']({ id })),
      );
      return answers.map((answer) =>
        answer.status === 'fulfilled' ? 'read' : (answer.reason as AppError).code,
      );
    };
    expect(await read()).toContain('platform.database_damaged');
    const after = await read();
    expect(after).not.toContain('platform.database_damaged');
    expect(after).toContain('read');
    expect(said).toEqual([expect.stringMatching(/history\.db was damaged\. [1-9]\d* exchanges were saved/)]);
    service.begin(exchange(service.nextId()), 'payout');
    service.close();
  });

  it('says of a request whose answer never came that the app ended in between', async () => {
    const first = open();
    const id = first.nextId();
    first.begin(exchange(id), 'payout');
    expect((await first.handlers['history.get']({ id })).error).toBeNull();
    const listed = async ({ handlers }: typeof first) =>
      (await handlers['history.list']({ limit: 1, before: null })).exchanges[0]?.summary;
    expect(await listed(first)).toBe('No answer yet');
    first.close();
    const second = open();
    expect(await listed(second)).toBe('No answer is known');
    expect((await second.handlers['history.get']({ id })).error).toMatchObject({
      code: 'sending.interrupted',
    });
    expect(second.nextId() > id).toBe(true);
    second.close();
  });

  it('pages from the newest on, by reference and title too', async () => {
    const history = open();
    const ids = Array.from({ length: 7 }, (_, index) => {
      const id = history.nextId();
      history.begin({ ...exchange(id), reference: `R-${index % 2}` }, 'payout');
      return id;
    });
    const list = history.handlers['history.list'];
    const first = await list({ limit: 3, before: null });
    const second = await list({ limit: 4, before: first.nextBefore });
    expect([...first.exchanges, ...second.exchanges].map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await list({ limit: 9, before: null, reference: 'R-1' })).exchanges).toHaveLength(3);
    history.close();
  });

  it('keeps what was sent and read for an environment under its new name, and what is on its way then, too', async () => {
    const history = open();
    const sent = { ...exchange(history.nextId()), environment: 'data/uat' };
    history.begin(sent, 'payout');
    history.recordBalances(sent, 'payout', [
      { currency: 'KES', actualBalance: '2', availableBalance: '1', status: 'ACTIVE' },
    ] as never);
    history.renameEnvironment('data/uat', 'data/test');
    history.finish(sent, 'payout', null);
    const { exchanges } = await history.handlers['history.list']({ limit: 5, before: null });
    expect(exchanges.map(({ environment }) => environment)).toEqual(['data/test']);
    expect(history.handlers['history.get']({ id: sent.id, isForScreen: true })).toMatchObject({
      environment: 'data/test',
    });
    expect(history.balances.listChanges('data/test', null, 5)).toHaveLength(1);
    expect(history.balances.listChanges('data/uat', null, 5)).toHaveLength(0);
    history.close();
  });

  it('keeps what requests were sent where their files are now, and what is on its way then, too', async () => {
    const history = open();
    const send = (path: string, block: string, collectionId = 'c') => {
      const sent = { ...exchange(history.nextId()), identity: { collectionId, path, block } };
      history.begin(sent, 'payout');
      return sent;
    };
    const listOf = async (path: string, block: string | null, collectionId = 'c') => {
      const identity = { collectionId, path, block };
      return (await history.handlers['history.list']({ limit: 9, before: null, identity })).exchanges.length;
    };
    const sent = send('f/pay 🦊.http', 'Pay');
    send('f', 'Pay');
    send('f.http', 'Pay');
    send('f0/pay.http', 'Pay');
    send('f/pay 🦊.http', 'Pay', 'another');
    history.moveRequests(
      { collectionId: 'c', path: 'f/pay 🦊.http' },
      { collectionId: 'c', path: 'f/wages.http', block: 'wages' },
    );
    history.finish(sent, 'payout', null);
    expect(history.handlers['history.get']({ id: sent.id })).toMatchObject({
      identity: { collectionId: 'c', path: 'f/wages.http', block: 'wages' },
    });
    expect([await listOf('f/wages.http', 'wages'), await listOf('f/pay 🦊.http', 'Pay')]).toEqual([1, 0]);
    history.moveRequests({ collectionId: 'c', path: 'f' }, { collectionId: 'd', path: 'g/🦊', block: null });
    expect(await listOf('g/🦊/wages.http', 'wages', 'd')).toBe(1);
    expect(await listOf('g/🦊', 'Pay', 'd')).toBe(1);
    await history.handlers['history.follow']({
      collectionId: 'd',
      path: 'g/🦊/wages.http',
      toPath: 'Pay.http',
    });
    expect(await listOf('Pay.http', 'wages', 'd')).toBe(1);
    expect([await listOf('Pay.http', 'Pay', 'd'), await listOf('Pay.http', null, 'd')]).toEqual([0, 1]);
    expect([await listOf('f.http', 'Pay'), await listOf('f0/pay.http', 'Pay')]).toEqual([1, 1]);
    expect(await listOf('f/pay 🦊.http', 'Pay', 'another')).toBe(1);
    history.close();
  });

  it('refuses an id that is not there', () => {
    const history = open();
    for (const id of ['', 'x', '00000000001']) {
      expect(() => history.handlers['history.get']({ id })).toThrow(
        expect.objectContaining({ code: 'history.unknown' }) as Error,
      );
    }
    history.close();
  });

  it('takes a payment whose status was asked for here for somebody else’s, and one that was sent from here for ours', () => {
    const history = open();
    const [asked, sent] = [history.nextId(), history.nextId()];
    history.begin({ ...exchange(asked), operation: 'status', reference: 'of-the-backend' }, null);
    history.begin({ ...exchange(sent), reference: 'ours' }, 'payout');
    expect(history.store.listOwnLocal(10).map(({ reference }) => reference)).toEqual(['ours', null]);
    history.close();
  });

  it('finds what a webhook answers by reference and UUID, where two services had a payment with one reference', () => {
    const history = open();
    const pay = (uuid: string): string => {
      const id = history.nextId();
      const request = { ...exchange(id).request, url: `https://service-${uuid}.test/pay` };
      const reading = readAnswer(
        'payout',
        201,
        `{"status":"200.100","code":"ACCEPTED","data":{"payment_uuid":"${uuid}"}}`,
      );
      history.begin({ ...exchange(id), environment: uuid, request, reading }, 'payout');
      return id;
    };
    const [first, second] = [pay('11'), pay('22')];
    const find = (reference: string | null, uuid: string | null): string | null => {
      const { row } = history.store.findAnswered(reference, uuid);
      return row === null ? null : formatSortableId(row.id);
    };
    expect([find('R', '11'), find('R', '22'), find(null, '11')]).toEqual([first, second, first]);
    expect([find('R', '99'), find('R', null)]).toEqual([null, null]);
    const countOf = (uuid: string | null): number => history.store.findAnswered('R', uuid).oneOf;
    expect([countOf('11'), countOf('99'), countOf(null)]).toEqual([0, 0, 2]);
    history.close();
  });

  it('gives the bytes of an answer piece by piece, those that are no text too', async () => {
    const history = open();
    const id = history.nextId();
    const bytes = Buffer.from([0, 255, 1, 254, 2, 253]);
    history.begin(exchange(id), 'payout');
    history.finish(exchange(id), 'payout', bytes);
    const read = async (offset: number, length: number): Promise<string> => {
      const part = await history.handlers['history.readBody']({ id, offset, length });
      expect(part.sizeBytes).toBe(6);
      return Buffer.from(part.base64, 'base64').toString('hex');
    };
    expect([await read(0, 4), await read(4, 4), await read(6, 4)]).toEqual(['00ff01fe', '02fd', '']);
    // Written anew or deleted while parts of it are asked for: what was there is not given any more.
    history.finish(exchange(id), 'payout', Buffer.from([7, 7, 7, 7, 7, 7]));
    expect(await read(4, 4)).toBe('0707');
    const other = open();
    await other.handlers['history.delete']({ ids: [id] });
    expect(() => history.handlers['history.readBody']({ id, offset: 0, length: 4 })).toThrow(/no exchange/);
    other.close();
    history.close();
  });

  it('gives the answers of one request alone, whatever else has its title', async () => {
    const history = open();
    const identity = { collectionId: 'aaa', path: 'Payouts/Pay.http', block: 'Pay' };
    const senders = [
      identity,
      { ...identity, collectionId: 'bbb' },
      { ...identity, path: 'Refunds/Pay.http' },
      { ...identity, block: 'Pay#2' },
      // Lookups and balances: no request of a collection.
      null,
    ];
    const ids = senders.map((sender) => {
      const id = history.nextId();
      history.begin({ ...exchange(id), identity: sender, title: 'Pay' }, 'payout');
      return id;
    });
    const list = history.handlers['history.list'];
    for (const [index, sender] of senders.entries()) {
      if (sender === null) continue;
      const { exchanges } = await list({ limit: 9, before: null, identity: sender });
      expect(exchanges).toMatchObject([{ id: ids[index], identity: sender }]);
    }
    history.close();
  });

  it('brings a file of the first schema up to date, keeps a copy of it, and reads its rows without an identity', async () => {
    const file = join(dataDirectory, 'history.db');
    const before = openDatabase({ file, migrations: historyMigrations.slice(0, 1) });
    const { identity: _none, ...kept } = exchange('00000000001');
    before
      .prepare(
        `INSERT INTO exchanges (id, environment, operation, title, sent_at, reference, method, url, summary,
           is_signed, is_finished, detail) VALUES (1, 'staging', 'payout', 'Status query', 5, 'R', 'POST', 'http://x/',
           'Accepted', 1, 1, ?)`,
      )
      .run([JSON.stringify({ ...kept, id: formatSortableId(1) })]);
    before.close();
    const history = open();
    const list = history.handlers['history.list'];
    expect((await list({ limit: 9, before: null })).exchanges).toMatchObject([
      { title: 'Status query', identity: null, environment: 'staging' },
    ]);
    const named = { collectionId: 'aaa', path: 'Status query.http', block: 'Status query' };
    expect((await list({ limit: 9, before: null, identity: named })).exchanges).toEqual([]);
    expect(await history.handlers['history.get']({ id: formatSortableId(1) })).toMatchObject({
      title: 'Payout',
      identity: null,
    });
    history.close();
    const copy = openDatabase({ file: `${file}.before-2`, migrations: historyMigrations.slice(0, 1) });
    expect(copy.prepare('SELECT title FROM exchanges').all()).toEqual([{ title: 'Status query' }]);
    copy.close();
  });
});
