import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { createEventBus } from '../../platform/event-bus';
import { createHistoryService } from './create-history-service';

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-history-'));
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

const open = () =>
  createHistoryService({
    ports: {
      clock: { now: () => 1_800_000_000_000, monotonicMs: () => 0 },
      logger: { log: () => undefined },
      dataDirectory,
    },
    events: createEventBus(),
  });

const exchange = (id: string): Exchange => ({
  id,
  environment: 'local',
  operation: 'payout',
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
  it('names a damaged file with the first use, not at the start, and leaves it as it is', () => {
    const file = join(dataDirectory, 'history.db');
    writeFileSync(file, Buffer.alloc(8192));
    const service = open();
    expect(() => service.store.findAnswered('R', null)).toThrow(file);
    expect(() => service.begin(exchange('x'), 'payout')).toThrow(/damaged/);
    service.close();
    expect(readFileSync(file)).toEqual(Buffer.alloc(8192));
  });

  it('says of a request whose answer never came that the app ended in between', async () => {
    const first = open();
    const id = first.nextId();
    first.begin(exchange(id), 'payout');
    expect((await first.handlers['history.get']({ id })).error).toBeNull();
    first.close();
    const second = open();
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
    expect((await list({ limit: 9, before: null, title: 'Other' })).exchanges).toHaveLength(0);
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
});
