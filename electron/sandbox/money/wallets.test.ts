import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import type { SqlDatabase } from '../../platform/ports';
import { sandboxMigrations } from '../store/sandbox-migrations';
import { createWallets, startingWallets, type KeptWallet, type Wallets } from './wallets';

let db: SqlDatabase;
let wallets: Wallets;
beforeEach(() => {
  db = openDatabase({ file: ':memory:', migrations: sandboxMigrations });
  wallets = createWallets(db);
});
afterEach(() => db.close());

const money = ({ actualMinor, heldMinor }: Pick<KeptWallet, 'actualMinor' | 'heldMinor'>) => [
  actualMinor,
  heldMinor,
];
const kes = (): KeptWallet => wallets.find('payout', 'KES')!;

test('an empty store gets what a sandbox starts with, once', () => {
  const byName = (one: KeptWallet, other: KeptWallet) =>
    `${one.product}/${one.currency}`.localeCompare(`${other.product}/${other.currency}`);
  expect(wallets.list().toSorted(byName)).toEqual([...startingWallets].toSorted(byName));
  expect(kes()).toEqual({
    product: 'payout',
    currency: 'KES',
    status: 'ACTIVE',
    alertMinor: 5_000_000n,
    actualMinor: 100_000_000n,
    heldMinor: 0n,
  });
  expect(wallets.find('collection', 'KES')).toMatchObject({ alertMinor: null, actualMinor: 0n });
  expect(wallets.find('payout', 'TZS')).toMatchObject({ status: 'SUSPENDED', alertMinor: null });
  expect(wallets.find('collection', 'UGX')).toMatchObject({ status: 'INACTIVE' });
  db.exec(`UPDATE wallets SET actual_minor = 7 WHERE currency = 'USD'`);
  expect(createWallets(db).find('remittance', 'USD')?.actualMinor).toBe(7n);
});

test('wallets are listed by product; one that nobody has is not found', () => {
  expect(wallets.list('payout').map(({ currency }) => currency)).toEqual(['KES', 'TZS', 'UGX']);
  expect(wallets.list('remittance').map(({ currency }) => currency)).toEqual(['KES', 'USD']);
  expect(wallets.find('payout', 'USD')).toBeUndefined();
  expect(wallets.find('collection', 'kes')).toBeUndefined();
});

test('what is held, taken, given back and added is seen at once, and written by save alone', () => {
  const ledger = wallets.open();
  const seen = (): unknown => money(ledger.find('payout', 'KES')!);
  ledger.hold(kes(), 101_000n);
  expect(seen()).toEqual([100_000_000n, 101_000n]);
  ledger.hold(kes(), 1000n);
  ledger.take(kes(), 101_000n);
  expect(seen()).toEqual([99_899_000n, 1000n]);
  ledger.release(kes(), 400n);
  ledger.credit(kes(), 5n);
  expect(seen()).toEqual([99_899_005n, 600n]);
  expect(money(kes())).toEqual([100_000_000n, 0n]);
  ledger.save();
  expect(money(kes())).toEqual([99_899_005n, 600n]);
  expect(money(wallets.find('payout', 'UGX')!)).toEqual([1_000_000_000n, 0n]);
});

test('two wallets of one currency, and of one product, are moved apart', () => {
  const ledger = wallets.open();
  ledger.hold(kes(), 1n);
  ledger.hold(wallets.find('remittance', 'KES')!, 2n);
  ledger.hold(wallets.find('payout', 'UGX')!, 3n);
  ledger.save();
  expect(
    [kes(), wallets.find('remittance', 'KES')!, wallets.find('payout', 'UGX')!].map(
      ({ heldMinor }) => heldMinor,
    ),
  ).toEqual([1n, 2n, 3n]);
});

test('a ledger reads a wallet once, and writes a change once', () => {
  const ledger = wallets.open();
  expect(ledger.find('payout', 'USD')).toBeUndefined();
  ledger.hold(kes(), 100n);
  db.exec(`UPDATE wallets SET held_minor = 55 WHERE product = 'payout' AND currency = 'KES'`);
  expect(ledger.find('payout', 'KES')?.heldMinor).toBe(100n);
  ledger.save();
  expect(kes().heldMinor).toBe(100n);
  db.exec(`UPDATE wallets SET held_minor = 55 WHERE product = 'payout' AND currency = 'KES'`);
  ledger.save();
  expect(kes().heldMinor).toBe(55n);
});

test('a transaction that is undone leaves the wallets as they were', () => {
  db.exec('BEGIN');
  const ledger = wallets.open();
  ledger.take(kes(), 0n);
  ledger.hold(kes(), 500n);
  ledger.save();
  db.exec('ROLLBACK');
  expect(money(kes())).toEqual([100_000_000n, 0n]);
});

test('the store itself refuses a wallet below zero, or with more held than there is', () => {
  const overdrawn = wallets.open();
  overdrawn.take(wallets.find('collection', 'KES')!, 1n);
  expect(() => overdrawn.save()).toThrow();
  const overheld = wallets.open();
  overheld.hold(wallets.find('collection', 'KES')!, 1n);
  expect(() => overheld.save()).toThrow();
});

test('a reset puts back what there was at the start, and nothing else', () => {
  const ledger = wallets.open();
  ledger.take(kes(), -5n);
  ledger.save();
  wallets.reset();
  expect(wallets.list()).toHaveLength(startingWallets.length);
  expect(money(kes())).toEqual([100_000_000n, 0n]);
});
