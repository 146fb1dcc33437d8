import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayout, startTestSandbox, type SandboxClient } from '../../../test/support/sandbox-client';
import { newReference } from '../../../test/support/bodies';

const CLIENTS = 64;
const START_MINOR = 100_000_000;

let client: SandboxClient;
beforeAll(async () => {
  client = await startTestSandbox({ settings: { settleMs: 1000, retries: 'none' } });
});
afterAll(() => client.sandbox.close());

const minor = (text: string): number => Number(text.replace('.', ''));

/** One thing that a client does. References come from a small set, so that they collide. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      reference: fc.integer({ min: 0, max: 40 }),
      amount: fc.integer({ min: 1, max: 120_000 }),
      ending: fc.constantFrom('1111', '0001', '0002', '0003'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('advance' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      index: fc.nat(50),
      state: fc.constantFrom('succeeded' as const, 'failed' as const, 'canceled' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What must hold at every moment: nothing negative, and held + available + taken is what there was. */
function checkInvariants(): void {
  const { wallets, payments } = client.sandbox.readState(1000);
  const wallet = wallets.find(({ product, currency }) => product === 'payout' && currency === 'KES')!;
  const [actual, available, held] = [wallet.actualBalance, wallet.availableBalance, wallet.heldBalance].map(
    minor,
  );
  const sum = (state: string): number =>
    payments
      .filter((payment) => payment.state === state)
      .reduce((total, { amount, charges }) => total + minor(amount) + minor(charges), 0);
  expect(available).toBeGreaterThanOrEqual(0);
  expect(held).toBe(sum('processing'));
  expect(actual).toBe(START_MINOR - sum('succeeded'));
  expect(available! + held! + sum('succeeded')).toBe(START_MINOR);
  expect(new Set(payments.map(({ transactionReference }) => transactionReference)).size).toBe(
    payments.length,
  );
}

async function take(action: Step, prefix: string, finals: Map<string, string>): Promise<void> {
  if (action.kind === 'advance') {
    client.sandbox.advanceClock(1);
  } else if (action.kind === 'decide') {
    const { payments } = client.sandbox.readState(1000);
    const payment = payments[action.index % Math.max(1, payments.length)];
    if (payment === undefined) return;
    await client.admin('POST', `payments/${payment.paymentUuid}/state`, { state: action.state });
  } else {
    const { reference, amount, ending } = action;
    const body = makePayout(
      { reference: `${prefix}-${reference}`, amount },
      { account: `25471111${ending}` },
    );
    const answer = await client.initiate('payout', body);
    expect([200, 201, 400]).toContain(answer.status);
  }
  checkInvariants();
  for (const { paymentUuid, state } of client.sandbox.readState(1000).payments) {
    const before = finals.get(paymentUuid);
    if (before !== undefined) expect(state).toBe(before);
    if (state !== 'processing') finals.set(paymentUuid, state);
  }
}

test('no wallet goes negative, no money is lost and no state changes twice, under 64 clients at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: CLIENTS, maxLength: 2 * CLIENTS }), async (steps) => {
      client.sandbox.reset();
      const prefix = newReference();
      const finals = new Map<string, string>();
      let next = 0;
      const worker = async (): Promise<void> => {
        for (let action = steps[next++]; action !== undefined; action = steps[next++]) {
          await take(action, prefix, finals);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, worker));
      client.sandbox.advanceClock(3600);
      checkInvariants();
    }),
    { numRuns: 8 },
  );
}, 120_000);

test('of 64 clients that want the last money, exactly as many get it as there is', async () => {
  client.sandbox.reset();
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, () => client.initiate('payout', makePayout({ amount: 33_000 }))),
  );
  // 1,000,000 holds 30 times 33,330.
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
  expect((await client.balance('payout', 'KES')).available).toBe(100);
});

test('of 64 clients with one reference, one makes the payment', async () => {
  client.sandbox.reset();
  const reference = newReference();
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) =>
      client.initiate('payout', makePayout({ reference, amount: index + 1 })),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(CLIENTS - 1);
  expect(client.sandbox.readState(100).payments).toHaveLength(1);
});
