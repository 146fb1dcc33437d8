import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import type { SqlDatabase } from '../../platform/ports';
import type { AttemptResult } from './attempt-delivery';
import { AttemptRecords } from './attempt-records';
import { webhookMigrations, WebhookStore } from './webhook-store';

const KEPT = 5000;
let db: SqlDatabase;
let store: WebhookStore;
beforeEach(() => {
  db = openDatabase({ file: ':memory:', migrations: webhookMigrations });
  store = new WebhookStore(db);
});
afterEach(() => {
  vi.useRealTimers();
  db.close();
});

function insert(count: number): void {
  db.transaction(() => {
    for (let n = 1; n <= count; n++) store.insert(`id-${n}`, 'http://127.0.0.1:9/', '{}', null, 1, 0);
  })();
}

function deliver(records: AttemptRecords, seq: number): void {
  const attempt = { attempt: 1, at: 0, durationMs: 1, httpStatus: 200, error: null, responseBody: '' };
  const change = { state: 'delivered', step: 0, copies: 0, nextAttemptAt: null } as const;
  const job = { seq, id: `id-${seq}`, state: 'pending' } as AttemptResult['job'];
  records.add({ job, attempt, change });
}

const countRows = (table: string): number =>
  (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;

test('the newest 5,000 finished deliveries are kept with their attempts; what is pending is never forgotten', () => {
  const records = new AttemptRecords({ db, store, onRecorded: () => undefined });
  const [total, pending] = [KEPT + 700, 3];
  insert(total);
  for (let seq = 1; seq <= total; seq++) {
    if (seq !== pending) deliver(records, seq);
    if (seq % 100 === 0) records.flush();
  }
  const kept = store.list(total).map(({ id }) => id);
  expect(kept).toContain('id-3');
  expect(kept).toContain(`id-${total - KEPT + 1}`);
  expect(kept).toContain(`id-${total}`);
  // Pruning comes once in 500 results, the last time at result 5,500.
  expect(kept).not.toContain('id-1');
  expect(kept.length).toBeGreaterThanOrEqual(KEPT + 1);
  expect(kept.length).toBeLessThanOrEqual(KEPT + 1 + 500);
  expect(countRows('webhook_attempts')).toBe(kept.length - 1);
  records.stop();
});

test('results of some milliseconds share one write, and are told of after it', () => {
  vi.useFakeTimers();
  const onRecorded = vi.fn();
  const records = new AttemptRecords({ db, store, onRecorded });
  insert(2);
  deliver(records, 1);
  deliver(records, 2);
  expect([records.has(1), store.get('id-1')?.state]).toEqual([true, 'pending']);
  vi.advanceTimersByTime(5);
  expect(onRecorded).toHaveBeenCalledOnce();
  expect([records.has(1), store.get('id-1')?.state, store.get('id-2')?.state]).toEqual([
    false,
    'delivered',
    'delivered',
  ]);
});

test('while a transaction of another is open nothing is written; a store that fails is tried again', () => {
  vi.useFakeTimers();
  const onRecorded = vi.fn();
  const records = new AttemptRecords({ db, store, onRecorded });
  insert(1);
  db.exec('BEGIN');
  deliver(records, 1);
  vi.advanceTimersByTime(50);
  expect(onRecorded).not.toHaveBeenCalled();
  db.exec('ROLLBACK');
  vi.spyOn(store, 'record').mockImplementationOnce(() => {
    throw new Error('disk full');
  });
  vi.advanceTimersByTime(10);
  expect(onRecorded).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(onRecorded).toHaveBeenCalledOnce();
  expect(store.get('id-1')?.state).toBe('delivered');
});
