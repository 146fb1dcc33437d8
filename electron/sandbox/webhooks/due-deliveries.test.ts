import { expect, test } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import { SandboxClock } from '../sandbox-clock';
import { DueDeliveries } from './due-deliveries';
import { WebhookStore, webhookMigrations } from './webhook-store';

const hangs = 'http://hangs.example/a';
const sound = 'http://hangs.example/b';

function open(): { store: WebhookStore; due: DueDeliveries } {
  const store = new WebhookStore(openDatabase({ file: ':memory:', migrations: webhookMigrations }));
  const due = new DueDeliveries({ store, clock: new SandboxClock(), inFlightCap: 8, onDue: () => undefined });
  return { store, due };
}

test('more for one endpoint than are held keep none from another', () => {
  const { store, due } = open();
  for (let index = 0; index < 120_000; index++) store.insert(`h${index}`, hangs, '{}', null, 1, 5);
  store.insert('last', `${sound}?x=1`, '{}', null, 1, 6);
  while (due.load());
  expect([due.take(), due.take(), due.take()]).toEqual([
    { endpoint: hangs, seq: 1 },
    { endpoint: sound, seq: 120_001 },
    null,
  ]);
});

test('what is passed over is taken later, each once and in its order', () => {
  const { store, due } = open();
  const wanted = new Map<string, number[]>([hangs, sound].map((url) => [url, []]));
  for (let seq = 1; seq <= 6000; seq++) {
    const url = seq % 3 === 0 ? sound : hangs;
    store.insert(`d${seq}`, seq % 5 === 0 ? `${url}?${seq}` : url, '{}', null, 1, Math.floor(seq / 1000));
    wanted.get(url)!.push(seq);
  }
  const taken = new Map<string, number[]>([hangs, sound].map((url) => [url, []]));
  for (;;) {
    const mayBeMore = due.load();
    const next = due.take();
    if (next === null && !mayBeMore) break;
    if (next === null) continue;
    taken.get(next.endpoint)!.push(next.seq);
    store.change(next.seq, { state: 'delivered', step: 0, copies: 0, nextAttemptAt: null }, 1);
    due.release(next.endpoint, next.seq);
  }
  expect(taken).toEqual(wanted);
});
