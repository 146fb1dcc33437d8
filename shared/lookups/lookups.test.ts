import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/sending';
import { findIdentifierFault, MAX_LOOKUP_TEXT, MOST_LOOKUPS, readLookupList } from './lookup-list';
import {
  describeLookupRow,
  pauseOfWatch,
  runLookups,
  toLookupRow,
  writeLookupCsv,
  type LookupAnswer,
  type LookupRow,
} from './run-lookups';

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
  more: { watchMs?: number; stopAfter?: number; stopAtMs?: number } = {},
) {
  const told: [index: number, row: LookupRow][] = [];
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
    isStopped: () => asked >= (more.stopAfter ?? Infinity) || time >= (more.stopAtMs ?? Infinity),
    onRow: (index, row) => told.push([index, row]),
    perSecond: 2,
    watchMs: more.watchMs ?? null,
    now: () => time,
    monotonicMs: () => time,
  });
  return { rows, waits, asked, told };
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
    expect(findIdentifierFault('transaction_reference', ` ${'x'.repeat(200)} `)).toBeNull();
    expect(findIdentifierFault('payment_uuid', ' 77 ')).toBeNull();
    for (const value of [
      '77a',
      'a77',
      'xa3bb189e-8bf9-3888-9912-ace4e6543002',
      'a3bb189e-8bf9-3888-9912-ace4e6543002f',
    ])
      expect(findIdentifierFault('payment_uuid', value)).toMatch(/^It is no payment UUID/);
    expect(findIdentifierFault('request_uuid', '  ')).toBe('It is empty.');
  });

  it('says of each line that is not asked why, and shortens what is long', () => {
    const long = 'x'.repeat(201);
    expect(
      readLookupList(
        `reference,product\n,payout\n${long},\nR-1,${long}\nR-2,  PAYOUT \n  ,payout`,
        'payment_uuid',
      ),
    ).toEqual({
      items: [{ line: 5, by: 'transaction_reference', value: 'R-2', product: 'payout' }],
      problems: [
        { line: 2, message: 'No identifier stands there.' },
        { line: 3, message: `${'x'.repeat(60)}: It is longer than 200 characters.` },
        { line: 4, message: `${'x'.repeat(60)} is no product: payout, remittance, collection.` },
        { line: 6, message: 'No identifier stands there.' },
      ],
    });
    expect(readLookupList('', 'payment_uuid')).toEqual({ items: [], problems: [] });
  });

  it('takes headings with blanks around them, and a second column for no product where none is named so', () => {
    expect(readLookupList(' Reference , note \nR-1,gift', 'payment_uuid').items).toEqual([
      { line: 2, by: 'transaction_reference', value: 'R-1', product: null },
    ]);
  });

  it.each([
    ['Payment UUID;Betrag', 'payment_uuid'],
    ['payment-uuid;Betrag', 'payment_uuid'],
    ['"PaymentUUID";"Betrag"', 'payment_uuid'],
    ['\ufeffRequest\u00a0 UUID;Betrag', 'request_uuid'],
    ['Client Reference;Betrag', 'transaction_reference'],
    ['TRANSACTION-REFERENCE:;Betrag', 'transaction_reference'],
    ['sep=;\r\nYour amount;Reference.', null],
  ])('knows a heading however it is written: %s', (heading, by) => {
    const { items, problems } = readLookupList(`${heading}\n77;100,00`, 'transaction_reference');
    expect(problems).toEqual([]);
    expect(items.map((item) => [item.by, item.value])).toEqual([
      by === null ? ['transaction_reference', '100,00'] : [by, '77'],
    ]);
  });

  it('asks for no heading above one column, says so, and asks for the rest', () => {
    expect(readLookupList('Beleg\nR-1\n\nR-2', 'transaction_reference')).toEqual({
      items: [
        { line: 2, by: 'transaction_reference', value: 'R-1', product: null },
        { line: 4, by: 'transaction_reference', value: 'R-2', product: null },
      ],
      problems: [
        {
          line: 1,
          message:
            '“Beleg” looks like a heading, and is not asked. Where it is a reference, put “reference” above the list.',
        },
      ],
    });
    const asked = (text: string) =>
      readLookupList(text, 'transaction_reference').items.map(({ value }) => value);
    // What may well be a reference is asked for.
    for (const text of ['SALARY', 'SALARY\nBONUS\nR-1', 'R-0\nR-1', 'SALARY\nR-1,R-2'])
      expect(asked(text)).toEqual(text.split(/[\n,]/));
    expect(asked('reference\nSALARY\nR-1')).toEqual(['SALARY', 'R-1']);
  });

  it('asks for nothing of a table whose heading names no identifier, and says what to call the column', () => {
    const read = (text: string) => {
      const { items, problems } = readLookupList(text, 'transaction_reference');
      expect(items).toEqual([]);
      return problems.map(({ line, message }) => `${line} ${message}`);
    };
    const advice =
      'Call the column of your own references “reference”, or take payment_uuid or request_uuid. Nothing of the list is asked.';
    const own = `1 The payment reference is the service’s own, and never asked by. ${advice}`;
    expect(read('Payment Reference;Betrag\nTXN8F2K;100')).toEqual([own]);
    expect(read('payment_reference\nTXN8F2K')).toEqual([own]);
    expect(read('sep=;\nBeleg;Betrag\nR-1;100\nR-2;7')).toEqual([
      `2 “Beleg, Betrag” looks like a heading, and names no identifier. ${advice}`,
    ]);
    // Beside an identifier it is one more column, as in a table that was saved here.
    const both = readLookupList('payment_uuid,payment_reference\n77,TX1', 'transaction_reference');
    expect(both.items.map(({ value }) => value)).toEqual(['77']);
    const plain = (text: string) => readLookupList(text, 'transaction_reference').items.length;
    expect([plain('A,B'), plain('A,B\nC,D'), plain('A,B\nC1'), plain('A1,B\nC1,D')]).toEqual([2, 4, 3, 4]);
  });

  it('asks for none that holds a character which could not be read', () => {
    expect(readLookupList('B\ufffdcher-1\nR\u0000-2\nR-3', 'transaction_reference')).toMatchObject({
      items: [{ value: 'R-3' }],
      problems: [{ line: 1, message: expect.stringContaining('Save the file as UTF-8.') }, { line: 2 }],
    });
  });

  it('asks for each of several in a line, and drops none', () => {
    const read = (text: string) => {
      const { items, problems } = readLookupList(text, 'transaction_reference');
      return [...items.map(({ line, value, product }) => [line, value, product]), ...problems];
    };
    expect(read('P-1, nope-1, nope-2')).toEqual([
      [1, 'P-1', null],
      [1, 'nope-1', null],
      [1, 'nope-2', null],
    ]);
    expect(read('P-1,P-2\nnope-3;nope-4\tnope-5')).toEqual([
      [1, 'P-1', null],
      [1, 'P-2', null],
      [2, 'nope-3', null],
      [2, 'nope-4', null],
      [2, 'nope-5', null],
    ]);
    expect(read('R-1,payout')).toEqual([[1, 'R-1', 'payout']]);
    expect(read('reference\nR-1, R-2\nR-3,')).toEqual([
      [3, 'R-3', null],
      { line: 2, message: 'R-2 stands under no heading: nothing of this line is asked.' },
    ]);
  });

  it('stays bounded', () => {
    const { items, problems } = readLookupList(
      Array.from({ length: 5000 }, (_, at) => `R-${at}`).join('\n'),
      'transaction_reference',
    );
    expect(items.length).toBe(MOST_LOOKUPS);
    expect(problems).toEqual([
      { line: 1001, message: 'At most 1000 at once: this line and the rest are left out.' },
    ]);
    const tooLong = `${'x'.repeat(MAX_LOOKUP_TEXT + 10)}\nR-2`;
    expect(readLookupList(tooLong, 'transaction_reference').items).toEqual([]);
    expect(readLookupList(tooLong, 'transaction_reference').problems).toHaveLength(1);
  });

  it.each(['\n', '\r\n'])(
    'says where a list is cut that is too long, and asks for no half of a line: %j',
    (end) => {
      const wide = Array.from({ length: 700 }, (_, at) => `R-${at},${'x'.repeat(2000)}`);
      const { items, problems } = readLookupList(
        ['reference,note', ...wide].join(end),
        'transaction_reference',
      );
      expect(problems).toEqual([
        {
          line: items.length + 2,
          message: 'The list is longer than 1 MiB: this line and the rest are left out. Ask for it in parts.',
        },
      ]);
      expect(items.map(({ value }) => value)).toEqual(
        wide.slice(0, items.length).map((line) => line.split(',')[0]),
      );
      expect(items.length).toBeGreaterThan(500);
      const halves = `${'R-1234567\n'.repeat(200_000)}`;
      expect(readLookupList(halves, 'transaction_reference').items).toHaveLength(1);
    },
  );
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
    expect(waits).toEqual([500, 500, 7000, 0]);
    expect(rows[0]).toMatchObject({ amount: '10.50', paymentUuid: '77' });
    expect(rows.map(({ reason, httpStatus }) => [reason, httpStatus])).toEqual([
      [null, 200],
      ['No route.', null],
      [null, 200],
      [null, 404],
    ]);
  });

  it('tell of each row when it is asked, put off and answered', async () => {
    const { told } = await run({
      a: [
        answer(null, 429, [
          ['X', '1'],
          ['retry-AFTER', ' 7 '],
        ]),
        answer('failed'),
      ],
    });
    expect(
      told.map(([index, { value, outcome, reason, queries, askedAt }]) => [
        index,
        value,
        outcome,
        reason,
        queries,
        askedAt,
      ]),
    ).toEqual([
      [0, 'a', 'asking', null, 0, null],
      [0, 'a', 'asking', 'Too many requests: again in 7 s', 1, 0],
      [0, 'a', 'found', null, 2, 7000],
    ]);
  });

  it.each([
    ['nothing', [], 5000],
    ['no number', [['Retry-After', 'soon']], 5000],
    ['a date', [['Retry-After', 'Thu, 01 Jan 1970 00:00:12 GMT']], 12_000],
    ['a number and more', [['Retry-After', '12s']], 5000],
    ['none', [['Retry-After', '0']], 1000],
    ['two digits', [['Retry-After', '12']], 12_000],
    ['five minutes', [['Retry-After', '300']], 300_000],
  ] as [string, [string, string][], number][])(
    'wait as long as is usual where a 429 says %s',
    async (_name, headers, ms) => {
      const { waits } = await run({ a: [answer(null, 429, headers), answer('failed')] });
      expect(waits[0]).toBe(ms);
    },
  );

  it('ask no more where a 429 says longer than anybody waits, or than a watch has left', async () => {
    const tooMany = answer(null, 429, [['Retry-After', '901']]);
    const once = await run({ a: [answer('processing')], b: [tooMany], c: [answer('failed')] });
    const alone = 'The service was asked too often: ask again after 15 min 1 s.';
    expect(once.rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['found', null],
      ['not_known', expect.stringMatching(`. ${alone}$`)],
      ['not_asked', alone],
    ]);
    expect(once.waits).toEqual([500]);
    const limited = answer(null, 429, [['Retry-After', '90']]);
    const watched = { a: [answer('processing')], b: [limited] };
    const { rows } = await run(watched, { watchMs: 60_000 });
    expect(rows.map(({ reason }) => reason)).toEqual([
      'The service was asked too often: ask again after 1 min 30 s.',
      expect.stringMatching(/again after 1 min 30 s/),
    ]);
  });

  it('wait in the same way where it is the token that a 429 refuses', async () => {
    const refuse = (details: object): Error => Object.assign(new Error('No token now.'), { details });
    const { rows, waits, told } = await run({
      a: [refuse({ httpStatus: 429, retryAfter: '7' }), refuse({ httpStatus: 429 }), answer('failed')],
      b: [refuse({ httpStatus: 503, retryAfter: '7' })],
    });
    expect(waits).toEqual([7000, 5000, 0]);
    expect(told[1]![1].reason).toBe('Too many requests: again in 7 s');
    expect(rows.map(({ outcome, queries, reason }) => [outcome, queries, reason])).toEqual([
      ['found', 3, null],
      ['not_known', 1, 'No token now.'],
    ]);
  });

  it('ask no more than six times in a row where each is refused', async () => {
    const { rows, asked } = await run({ a: [answer(null, 429)] });
    expect(asked).toBe(6);
    expect(rows[0]).toMatchObject({ outcome: 'not_known', httpStatus: 429, queries: 6 });
  });

  it('leave the service alone after the sixth, too, before the next is asked for', async () => {
    const { waits } = await run({
      a: [answer(null, 429, [['Retry-After', '300']])],
      b: [answer('failed')],
    });
    expect(waits).toEqual([300_000, 300_000, 300_000, 300_000, 300_000, 300_000]);
  });

  it('wait no longer than a watch has left, however often a 429 says so', async () => {
    const limited = answer(null, 429, [['Retry-After', '50']]);
    const { rows, waits } = await run({ a: [limited] }, { watchMs: 60_000 });
    expect(waits).toEqual([50_000]);
    expect(rows[0]!.reason).toMatch(/The service was asked too often: ask again after 50(\.0)? s\.$/);
  });

  it('say why nothing is known: the error, what the answer was taken for, or that it could not be read', async () => {
    const unread = (more: object): LookupAnswer => ({
      exchange: { response: null, reading: null, error: null, ...more } as unknown as Exchange,
      isFound: null,
      state: null,
    });
    const { rows } = await run({
      a: [unread({ error: { message: 'Timed out.' }, reading: { title: 'Refused' } })],
      b: [unread({ reading: { title: 'Refused', description: 'Token of another product' } })],
      c: [unread({})],
    });
    expect(rows.map(({ reason, outcome, httpStatus }) => [reason, outcome, httpStatus])).toEqual([
      ['Timed out.', 'not_known', null],
      ['Refused: Token of another product', 'not_known', null],
      ['The answer could not be read.', 'not_known', null],
    ]);
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
    expect(never.told.at(-1)).toEqual([0, never.rows[0]]);
    // 500 ms each, and pauses of 2 and 3 s: the last question stands at the end of the watch.
    const exact = await run({ a: [answer('processing')] }, { watchMs: 2500 });
    expect([exact.asked, exact.waits]).toEqual([2, [500, 2000, 500]]);
    const short = await run({ a: [answer('processing')] }, { watchMs: 4500 });
    expect([short.asked, short.waits]).toEqual([3, [500, 2000, 500, 1500, 500]]);
    expect(short.rows[0]!.reason).toBe('Not final after 4.5 s; the watch has ended.');
    const once = await run({ a: [answer('succeeded')] }, { watchMs: 0 });
    expect([once.asked, once.rows[0]?.reason]).toEqual([1, null]);
    expect((await run({ a: [answer('processing')] })).asked).toBe(1);
    expect([1, 2, 50].map(pauseOfWatch)).toEqual([2000, 3000, 30_000]);
  });

  it('watch on where one is not found or not told yet, as one that was just sent; what cannot be asked is not asked again', async () => {
    const sentJustNow = {
      a: [answer(null, 404), answer(null, 503), answer('processing'), answer('succeeded')],
      b: [new Error('No route.')],
    };
    const { rows } = await run(sentJustNow, { watchMs: 60_000 });
    expect(rows.map(({ outcome, state, queries, reason }) => [outcome, state, queries, reason])).toEqual([
      ['found', 'succeeded', 4, null],
      ['not_known', null, 1, 'No route.'],
    ]);
    // One that is not reached may be by the next question.
    const away = Object.assign(new Error('Nobody there.'), { code: 'sending.unreachable' });
    const back = await run({ a: [away, answer('succeeded')] }, { watchMs: 60_000 });
    expect([back.rows[0]!.state, back.rows[0]!.queries]).toEqual(['succeeded', 2]);
    const never = { a: [answer(null, 404)], b: [answer(null, 503)] };
    const lost = await run({ a: [answer('processing'), answer(null, 503)] }, { watchMs: 4500 });
    expect(lost.rows[0]).toMatchObject({
      ...{ outcome: 'not_known', state: 'processing', amount: '10.50', paymentUuid: '77', httpStatus: 503 },
      reason: 'The answer could not be read. Not final after 4.5 s; the watch has ended.',
    });
    expect((await run(never, { watchMs: 4500 })).rows.map(({ reason }) => reason)).toEqual([
      'Not found after 4.5 s; the watch has ended.',
      'The answer could not be read. Not known after 4.5 s; the watch has ended.',
    ]);
  });

  it('end when they are stopped, and say of what was not asked that it was not', async () => {
    const { rows, told } = await run(
      { a: [answer('succeeded')], b: [answer('succeeded')] },
      { stopAfter: 1 },
    );
    expect(rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['found', null],
      ['not_asked', 'The list was stopped before its turn.'],
    ]);
    expect(told.at(-1)).toEqual([1, rows[1]]);
    expect(writeLookupCsv(rows).split('\r\n')[1]).toContain(
      '1,transaction_reference,a,found,succeeded,10.50,77,,200,',
    );
  });

  it('say of a watch that is stopped which payments were not final, and not of those that it would not have asked again', async () => {
    const { rows, asked } = await run(
      {
        a: [answer('processing')],
        b: [answer('succeeded')],
        c: [answer(null, 503)],
        d: [new Error('No route.')],
      },
      { watchMs: 60_000, stopAfter: 4 },
    );
    expect(asked).toBe(4);
    expect(rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['found', 'The watch was stopped before it was final.'],
      ['found', null],
      ['not_known', 'The answer could not be read. The watch was stopped before it was final.'],
      ['not_known', 'No route.'],
    ]);
    // All are final: nothing was stopped.
    const done = await run({ a: [answer('succeeded')] }, { watchMs: 60_000, stopAfter: 1 });
    expect(done.rows[0]?.reason).toBeNull();
  });

  it('ask for none once more that was put off when they were stopped', async () => {
    const { rows, asked } = await run({ a: [answer(null, 429), answer('succeeded')] }, { stopAtMs: 1 });
    expect([asked, rows[0]!.outcome, rows[0]!.httpStatus]).toEqual([1, 'not_known', 429]);
  });

  it('are told by the names of their columns, as a table or one by one', () => {
    const row = {
      ...toLookupRow({ line: 3, by: 'payment_uuid', value: '77', product: null }),
      outcome: 'found',
      paymentReference: 'TX1',
      askedAt: 1000,
      queries: 2,
    } as const;
    const described = {
      line: 3,
      asked_by: 'payment_uuid',
      value: '77',
      outcome: 'found',
      state: null,
      amount: null,
      payment_uuid: null,
      payment_reference: 'TX1',
      http_status: null,
      asked_at: '1970-01-01T00:00:01.000Z',
      queries: 2,
      reason: null,
    };
    expect(describeLookupRow(row)).toEqual(described);
    expect(writeLookupCsv([row]).split('\r\n')).toEqual([
      Object.keys(described).join(','),
      Object.values(described).join(','),
      '',
    ]);
    expect(describeLookupRow(toLookupRow(row))['asked_at']).toBeNull();
  });
});

it('asks for nothing of a list in which a merge left two versions', () => {
  const text = 'reference\nA-1\n<<<<<<< HEAD\nA-2\n=======\nA-3\n>>>>>>> other\n';
  expect(readLookupList(text, 'transaction_reference')).toEqual({
    items: [],
    problems: [
      {
        line: 3,
        message: expect.stringMatching(/^Two versions .* Nothing of the list is asked\.$/) as string,
      },
    ],
  });
});
