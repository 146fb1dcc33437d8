import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/sending';
import { findIdentifierFault, MOST_LOOKUPS, readLookupList } from './lookup-list';
import { pauseOfWatch, runLookups, writeLookupCsv, type LookupAnswer } from './run-lookups';

const answer = (state: string | null, httpStatus = 200, headers: [string, string][] = []): LookupAnswer => ({
  exchange: {
    response: {
      httpStatus,
      headers,
      body: `{"data":{"amount":10.50,"payment_uuid":"77","state":"${state}"}}`,
    },
    reading: null,
    error: null,
  } as unknown as Exchange,
  isFound: httpStatus === 200 ? true : httpStatus === 404 ? false : null,
  state,
});

/** Runs over answers by value, the last again and again; time is what is waited for. */
async function run(
  answers: Record<string, (LookupAnswer | Error)[]>,
  more: { watchMs?: number; stopAfter?: number } = {},
) {
  let time = 0;
  let asked = 0;
  const waits: number[] = [];
  const items = readLookupList(Object.keys(answers).join('\n'), 'transaction_reference').items;
  const rows = await runLookups(items, {
    ask: ({ value }) => {
      asked += 1;
      const list = answers[value]!;
      const next = list.length > 1 ? list.shift()! : list[0]!;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    wait: (ms) => {
      waits.push(ms);
      time += ms;
      return Promise.resolve();
    },
    isStopped: () => asked >= (more.stopAfter ?? Infinity),
    onRow: () => undefined,
    perSecond: 2,
    watchMs: more.watchMs ?? null,
    now: () => time,
  });
  return { rows, waits, asked };
}

describe('a list of payments to ask for', () => {
  it('is one a line, or CSV with headings; what cannot be asked by is said with its line', () => {
    expect(readLookupList('R-1\n\n R-2 \nR-1\n', 'transaction_reference')).toEqual({
      items: [
        { line: 1, by: 'transaction_reference', value: 'R-1', product: null },
        { line: 3, by: 'transaction_reference', value: 'R-2', product: null },
      ],
      problems: [{ line: 4, message: 'R-1 stands there already: asked once.' }],
    });
    const csv = readLookupList(
      'Payment_UUID,Product,Reference\n77,payout,\n,,R-2\n,,\n88,gift,',
      'request_uuid',
    );
    expect(csv.items).toEqual([
      { line: 2, by: 'payment_uuid', value: '77', product: 'payout' },
      { line: 3, by: 'transaction_reference', value: 'R-2', product: null },
    ]);
    expect(csv.problems).toEqual([
      { line: 5, message: 'gift is no product: payout, remittance, collection.' },
    ]);
  });

  it('refuses a payment reference in the place of a payment UUID, with the reason', () => {
    expect(findIdentifierFault('payment_uuid', 'TXN8F2K')).toMatch(
      /^It is no payment UUID: .* payment reference/,
    );
    expect(findIdentifierFault('payment_uuid', '12345678901234567890')).toBeNull();
    expect(findIdentifierFault('payment_uuid', 'a3bb189e-8bf9-3888-9912-ace4e6543002')).toBeNull();
    expect(findIdentifierFault('transaction_reference', 'TXN8F2K')).toBeNull();
    expect(findIdentifierFault('transaction_reference', 'x'.repeat(201))).toMatch(/longer than 200/);
  });

  it('stays bounded', () => {
    const { items, problems } = readLookupList(
      Array.from({ length: 5000 }, (_, at) => `R-${at}`).join('\n'),
      'transaction_reference',
    );
    expect([items.length, problems.length]).toEqual([MOST_LOOKUPS, 1]);
  });
});

describe('lookups in bulk', () => {
  it('keep the rate, go on after a failure, and wait as long as a 429 says', async () => {
    const { rows, waits } = await run({
      a: [answer('succeeded')],
      b: [new Error('No route.')],
      c: [answer(null, 429, [['Retry-After', '7']]), answer('failed')],
      d: [answer(null, 404)],
    });
    expect(rows.map(({ outcome, state, queries }) => [outcome, state, queries])).toEqual([
      ['found', 'succeeded', 1],
      ['not_known', null, 1],
      ['found', 'failed', 2],
      ['not_found', null, 1],
    ]);
    expect(waits).toEqual([500, 500, 7000, 0, 500]);
    expect(rows[0]).toMatchObject({ amount: '10.50', paymentUuid: '77' });
    expect(rows[1]?.reason).toBe('No route.');
  });

  it('watch until each is final, with longer and longer pauses, and not for ever', async () => {
    const slow = [answer('processing'), answer('processing'), answer('succeeded')];
    const { rows, waits } = await run({ a: slow, b: [answer('succeeded')] }, { watchMs: 60_000 });
    expect(rows.map(({ state, queries }) => [state, queries])).toEqual([
      ['succeeded', 3],
      ['succeeded', 1],
    ]);
    expect(waits).toEqual([500, 500, 2000, 500, 3000, 500]);
    const never = await run({ a: [answer('processing')] }, { watchMs: 60_000 });
    expect(never.rows[0]).toMatchObject({
      state: 'processing',
      reason: 'Not final after 1 min; the watch has ended.',
    });
    expect(never.asked).toBeLessThan(12);
    expect([1, 2, 50].map(pauseOfWatch)).toEqual([2000, 3000, 30_000]);
  });

  it('end when they are stopped; what was not asked is still waiting', async () => {
    const { rows } = await run({ a: [answer('succeeded')], b: [answer('succeeded')] }, { stopAfter: 1 });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['found', 'waiting']);
    expect(writeLookupCsv(rows).split('\r\n')[1]).toContain(
      '1,transaction_reference,a,found,succeeded,10.50,77,,200,',
    );
  });
});
