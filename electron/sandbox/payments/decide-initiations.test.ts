import { afterEach, expect, test, vi } from 'vitest';
import { createChangeNotice } from '../admin/change-notice';
import { createContext } from '../create-context';
import type { ServiceRequest } from '../http/service-request';
import type { SandboxContext } from '../sandbox-context';
import { openSandboxMeta } from '../store/sandbox-meta';
import { openSandboxStore } from '../store/sandbox-store';
import type { Initiation } from './initiation';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.restoreAllMocks();
});

function open(): SandboxContext {
  const store = openSandboxStore(undefined);
  const context = createContext(store, openSandboxMeta(store.db, {}), {}, createChangeNotice(undefined));
  closing.push(() => {
    context.keys.close();
    context.clock.close();
    store.close();
  });
  return context;
}

function makeInitiation(context: SandboxContext, reference: string, amount = 1000): Initiation {
  const number = context.numbers.next();
  return {
    product: 'payout',
    request: {
      id: context.numbers.drawId(number),
      number,
      readOrigin: () => 'http://127.0.0.1',
    } as ServiceRequest,
    body: {
      transaction: { reference, amount, currency: 'KES', description: 'Test' },
      recipient: { account: '254711111111' },
      callback_url: 'http://127.0.0.1:9/',
    },
    metaJson: null,
  };
}

const decide = async (context: SandboxContext, ...references: string[]) =>
  Promise.all(references.map((reference) => context.initiations(makeInitiation(context, reference))));

test('a reference is taken by an earlier payment, and by an earlier one of the same batch', async () => {
  const context = open();
  await decide(context, 'old');
  const answers = await decide(context, 'old', 'a', 'a', 'b');
  expect(answers.map(({ verdict }) => verdict)).toEqual(['duplicate', 'accepted', 'duplicate', 'accepted']);
  expect(answers.every(({ isDurable }) => isDurable)).toBe(true);
  expect(context.payments.list(10).map(({ reference }) => reference)).toEqual(['b', 'a', 'old']);
});

test('where the insert fails nobody is told of success, no money is held, and the next batch starts afresh', async () => {
  const context = open();
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  vi.spyOn(context.payments, 'insertAll').mockImplementationOnce(() => {
    throw new Error('disk full');
  });
  const [first, second] = await decide(context, 'a', 'b');
  expect([first?.httpStatus, second?.verdict]).toEqual([500, 'error']);
  await context.commit.afterCommit();
  expect(context.wallets.find('payout', 'KES')?.heldMinor).toBe(0n);
  expect((await decide(context, 'a')).map(({ verdict }) => verdict)).toEqual(['accepted']);
  expect(context.payments.list(10)).toHaveLength(1);
  expect(context.wallets.find('payout', 'KES')?.heldMinor).toBe(101_000n);
});

test('where another write of the same turn fails, the batch is undone with it: money, references and all', async () => {
  const context = open();
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  const answers = decide(context, 'a', 'b');
  // The batch has been decided, and its transaction is still open.
  for (let tick = 0; tick < 20 && context.payments.list(10).length < 2; tick++) {
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  expect(context.payments.list(10)).toHaveLength(2);
  expect(() =>
    context.commit.write(() => {
      throw new Error('another write failed');
    }),
  ).toThrow();
  expect((await answers).map(({ verdict }) => verdict)).toEqual(['error', 'error']);
  expect(context.wallets.find('payout', 'KES')?.heldMinor).toBe(0n);
  expect(context.payments.list(10)).toEqual([]);
  expect((await decide(context, 'a')).map(({ verdict }) => verdict)).toEqual(['accepted']);
});
