import { describe, expect, it } from 'vitest';
import { readStringToSign } from './string-to-sign';

const body = (transaction: string, originator = '"country":"KE"'): string =>
  `{"transaction":{${transaction}},"originator":{${originator}},"meta":{"country":"XX"}}`;

describe('readStringToSign', () => {
  it('joins reference, amount, country and service code without separators', () => {
    const text = body('"reference":"INV-2026-0042","amount":1500,"service_code":"MPESA-KE"');
    expect(readStringToSign(text).text).toBe('INV-2026-00421500KEMPESA-KE');
  });

  it.each(['1000.00', '1e3', '-0', '12345678901234567890', '0.10'])(
    'keeps the literal %s as written',
    (literal) => {
      expect(readStringToSign(body(`"reference":"R","amount":${literal},"service_code":"S"`)).text).toBe(
        `R${literal}KES`,
      );
    },
  );

  it('decodes strings and takes numbers in place of them', () => {
    const text = body('"reference":"caf\\u00e9\\n\\"\\ud83d\\ude00","amount":"15","service_code":7');
    expect(readStringToSign(text).text).toBe('café\n"😀15KE7');
  });

  it('ties each span to its place inside the quotes, beyond ASCII too', () => {
    const text = `{"é😀":"€","originator":{"country":"KE"},"transaction":{"service_code":"S-1","amount":15,"reference":"é-9"}}`;
    const { text: joined, spans } = readStringToSign(text);
    expect(spans.map(({ start, end }) => joined.slice(start, end))).toEqual(['é-9', '15', 'KE', 'S-1']);
    expect(spans.map(({ bodyStart, bodyEnd }) => text.slice(bodyStart, bodyEnd))).toEqual([
      'é-9',
      '15',
      'KE',
      'S-1',
    ]);
    expect(spans.map(({ pointer }) => pointer)).toEqual([
      '/transaction/reference',
      '/transaction/amount',
      '/originator/country',
      '/transaction/service_code',
    ]);
  });

  it('takes the last of equal keys, of a repeated parent too', () => {
    const text =
      '{"transaction":{"reference":"A","amount":1,"service_code":"S"},"originator":{"country":"KE","country":"UG"},' +
      '"transaction":{"reference":"B","reference":"C","amount":2,"service_code":"T"}}';
    expect(readStringToSign(text).text).toBe('C2UGT');
  });

  it('finds keys that are written with escapes', () => {
    const text =
      '{"trans\\u0061ction":{"reference":"A","amo\\u0075nt":1,"service_code":"S"},"originator":{"country":"KE"}}';
    expect(readStringToSign(text).text).toBe('A1KES');
  });

  it.each([
    ['reference', '"amount":1,"service_code":"S"', '/transaction/reference'],
    ['service_code', '"reference":"R","amount":1', '/transaction/service_code'],
    [
      'a repeated parent without it',
      '"reference":"R","amount":1,"service_code":"S"},"transaction":{"amount":1',
      '/transaction/reference',
    ],
  ])('names a missing field: %s', (_name, transaction, pointer) => {
    expect(() => readStringToSign(body(transaction))).toThrow(
      expect.objectContaining({
        code: 'signing.field_missing',
        details: expect.objectContaining({ pointer }) as unknown,
      }),
    );
  });

  it.each([
    ['null', 'null'],
    ['true', 'true'],
    ['false', 'false'],
    ['{}', 'an object'],
    ['[1]', 'a list'],
  ])('refuses an amount that is %s, and says where', (value, name) => {
    const text = body(`"reference":"R","amount":${value},"service_code":"S"`);
    expect(() => readStringToSign(text)).toThrow(
      expect.objectContaining({
        code: 'signing.field_wrong_type',
        message: `transaction.amount is ${name}. Only a string or a number can be signed.`,
        details: expect.objectContaining({
          pointer: '/transaction/amount',
          offset: text.indexOf(value),
        }) as unknown,
      }),
    );
  });

  it('signs white space at the edges of a value as it stands', () => {
    const text = body('"reference":" R\\t","amount":1,"service_code":"S "', '"country":" KE"');
    expect(readStringToSign(text).text).toBe(' R\t1 KES ');
  });

  it.each([
    '[]',
    '1',
    '"transaction"',
    '[{"transaction":{"reference":"R"}}]',
    '{"transaction":"x","originator":[]}',
    '{"a":{"transaction":{"reference":"R"}}}',
  ])('finds nothing to sign in %s', (text) => {
    expect(() => readStringToSign(text)).toThrow(expect.objectContaining({ code: 'signing.field_missing' }));
  });

  it('agrees with JSON.parse on the values of a body', () => {
    const value = {
      meta: { transaction: { reference: 'no' }, list: [{ country: 'no' }] },
      transaction: { reference: 'R-é', nested: { amount: 3 }, amount: 12, service_code: 'S' },
      originator: { list: [{ country: 'no' }], country: 'KE', transaction: { amount: 9 } },
      country: 'no',
    };
    for (const indent of [undefined, 2, '\t']) {
      expect(readStringToSign(JSON.stringify(value, null, indent)).text).toBe('R-é12KES');
    }
  });
});
