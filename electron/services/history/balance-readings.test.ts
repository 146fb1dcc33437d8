import { expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import { fromInstant } from '../../platform/sortable-id';
import {
  countOtherPayments,
  forgetRound,
  listBalances,
  listChanges,
  listOtherPayments,
  ROUND_TITLE,
  saveBalances,
} from './balance-readings';
import { listExchanges } from './list-exchanges';
import { historyMigrations } from './history-schema';

const start = 1_800_000_000_000;
const wallet = { environment: 'data/uat', product: 'payout', currency: 'KES' } as const;

function open() {
  const database = openDatabase({ file: ':memory:', migrations: historyMigrations });
  const exchange = database.prepare(
    `INSERT INTO exchanges (id, environment, operation, currency, title, sent_at, reference, method, url, summary,
       is_signed, is_finished, detail) VALUES (?, 'data/uat', ?, 'KES', 't', ?, ?, 'GET', ?, 's', 0, 1, '{}')`,
  );
  const add = (at: number, operation: string, reference: string | null, host: string): number => {
    const id = fromInstant(start + at);
    exchange.run([id, operation, start + at, reference, `http://${host}/tsq/v1/wallet-balances`]);
    return id;
  };
  const read = (at: number, amount: string, host = 'a.example'): void => {
    const source = {
      exchangeId: add(at, 'balances', null, host),
      environment: 'data/uat',
      product: 'payout' as const,
      readAt: start + at,
    };
    const amounts = { actualBalance: amount, availableBalance: amount, status: 'ACTIVE' };
    saveBalances(database, source, [{ currency: 'KES', ...amounts }]);
  };
  const listAt = (address: string | null, most = 500) =>
    listChanges(database, 'data/uat', address, most).map((row) => [
      row.read_at - start,
      row.available_balance,
    ]);
  return { database, add, read, listAt };
}

it('keeps the first and the last of readings that say the same, and gives those where something changed', () => {
  const { database, read, listAt } = open();
  for (let at = 0; at < 100; at++) read(at, '1000.00');
  read(100, '900.10');
  read(101, '900.10');
  const { count } = database.prepare('SELECT count(*) AS count FROM balance_readings').get([]) as {
    count: number;
  };
  expect(count).toBe(4);
  expect(listAt(null)).toEqual([
    [0, '1000.00'],
    [100, '900.10'],
  ]);
  expect(listAt(null, 1)).toEqual([[100, '900.10']]);
  const around = listBalances(database, wallet, start + 100, 10).map((row) => row.read_at - start);
  expect(around).toEqual([99, 100, 101]);
});

it('thins readings out where the clock was put back since', () => {
  const { database, read } = open();
  for (const at of [1, 2, 5001, 5002]) read(at, '5');
  for (let at = 3; at < 100; at++) read(at, '5');
  expect(listBalances(database, wallet, start, 99).map((row) => row.read_at - start)).toEqual([1, 99, 5002]);
});

it('takes readings of another address for another service', () => {
  const { database, read, listAt } = open();
  read(1, '5', 'a.example');
  read(2, '70', 'b.example');
  read(3, '6', 'a.example.evil');
  expect(listAt('http://b.example/')).toEqual([[2, '70']]);
  expect(listAt('http://a.example/')).toEqual([[1, '5']]);
  expect(listBalances(database, wallet, start + 3, 10, 'http://a.example/')).toHaveLength(1);
});

it('counts the other payments of a wallet within a time', () => {
  const { database, add } = open();
  for (const at of [10, 20, 30, 40]) add(at, 'payout', `R-${at}`, 'a.example');
  add(21, 'payout', 'R-20', 'a.example');
  add(22, 'remittance', 'R-22', 'a.example');
  const within = { from: start + 15, to: start + 40 };
  const others = { wallet, address: null, reference: 'R-30', ...within };
  expect(countOtherPayments(database, others)).toBe(1);
});

it('counts them, too, where ids are ahead of the clock, which was put back', () => {
  const { database, add, read } = open();
  read(5, '50');
  for (const at of [10, 20, 30, 50]) add(at, 'payout', `R-${at}`, 'a.example');
  read(40, '5');
  const ahead = 4096 * 86_400_000;
  database.exec('PRAGMA foreign_keys = OFF');
  database.exec(`UPDATE exchanges SET id = id + ${ahead}`);
  database.exec(`UPDATE balance_readings SET exchange_id = exchange_id + ${ahead}`);
  const others = { wallet, address: null, reference: 'R-20', from: start + 5, to: start + 40 };
  expect(countOtherPayments(database, others)).toBe(2);
  expect(listOtherPayments(database, others, 9)).toEqual(['R-30', 'R-10']);
});

it('counts no payment that was sent to another address of the same environment', () => {
  const { database, add } = open();
  add(10, 'payout', 'R-10', 'a.example');
  add(20, 'payout', 'R-20', 'A.example');
  add(30, 'payout', 'R-30', 'b.example');
  add(40, 'payout', 'R-40', 'a.example.evil');
  const of = (address: string | null) => {
    const others = { wallet, address, reference: 'R-10', from: start, to: start + 50 };
    return [countOtherPayments(database, others), listOtherPayments(database, others, 9)];
  };
  expect(of('http://a.example/')).toEqual([1, ['R-20']]);
  expect(of('http://b.example/')).toEqual([1, ['R-30']]);
  expect(of(null)).toEqual([3, ['R-40', 'R-30', 'R-20']]);
});

it('keeps what each address said, where one environment is asked at two in turn', () => {
  const { database, read, listAt } = open();
  for (let at = 0; at < 60; at += 2) {
    read(at, '5', 'a.example');
    read(at + 1, '5', 'b.example');
  }
  const listFrom = (host: string) =>
    listBalances(database, wallet, start, 99, `http://${host}/`).map((row) => row.read_at - start);
  expect([listFrom('a.example'), listFrom('b.example')]).toEqual([
    [0, 58],
    [1, 59],
  ]);
  expect([listAt('http://a.example/'), listAt('http://b.example/')]).toEqual([[[0, '5']], [[1, '5']]]);
});

it('thins readings of the embedded sandbox out, whatever port it got', () => {
  const { database, add } = open();
  for (let at = 0; at < 9; at++) {
    const exchangeId = add(at, 'balances', null, `127.0.0.1:${4000 + at}`);
    const source = { exchangeId, environment: 'local', product: 'payout' as const, readAt: start + at };
    const amounts = { actualBalance: '5', availableBalance: '5', status: 'ACTIVE' };
    saveBalances(database, source, [{ currency: 'KES', ...amounts }]);
  }
  const local = { ...wallet, environment: 'local' };
  expect(listBalances(database, local, start, 99).map((row) => row.read_at - start)).toEqual([0, 8]);
});

it('keeps rounds that nobody asked for out of the history: those that read nothing new are forgotten', async () => {
  const { database, add, read, listAt } = open();
  const readRound = (at: number, amount: string): void => {
    read(at, amount);
    database
      .prepare('UPDATE exchanges SET title = ? WHERE id = ?')
      .run([ROUND_TITLE, fromInstant(start + at)]);
  };
  read(1, '1000.00');
  for (let at = 2; at < 50; at++) readRound(at, '1000.00');
  readRound(50, '900.00');
  const failed = add(51, 'balances', null, 'a.example');
  database.prepare('UPDATE exchanges SET title = ? WHERE id = ?').run([ROUND_TITLE, failed]);
  forgetRound(database, failed);
  expect(listAt(null)).toEqual([
    [1, '1000.00'],
    [50, '900.00'],
  ]);
  const { count } = database.prepare('SELECT count(*) AS count FROM exchanges').get([]) as { count: number };
  expect(count).toBe(3);
  const listed = await listExchanges(database, { limit: 10, before: null });
  expect(listed.rows.map(({ title }) => title)).toEqual(['t']);
});
