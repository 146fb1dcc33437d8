import { parseHttpFile } from '../http-file/parse-http-file';
import { prepareRequest } from '../http-file/prepare-request';
import { createDynamicValues } from '../http-file/dynamic-values';
import { describe, expect, it } from 'vitest';
import { readPayment } from './read-payment';

const dynamic = createDynamicValues({
  now: () => 0,
  random: { uuid: () => 'u', bytes: (count) => new Uint8Array(count) },
});
const read = (line: string, body: string) => {
  const [block] = parseHttpFile(`${line}\nContent-Type: application/json\n\n${body}\n`).requests;
  return readPayment(prepareRequest(block!, { variables: {}, dynamic }));
};

describe('readPayment', () => {
  it('keeps the amount as it is written, beyond what a double holds', () => {
    const body =
      '{"transaction":{"reference":"INV-1","amount":90071992547409931.10,"currency":"KES"},"recipient":{"name":"Jane","account":"254"}}';
    expect(read('POST https://pay.example/payments/v1/payouts', body)).toEqual({
      reference: 'INV-1',
      amount: '90071992547409931.10',
      currency: 'KES',
      party: 'Jane · 254',
      isCollection: false,
    });
  });

  it('names the customer of a collection, who pays', () => {
    const body = '{"transaction":{"amount":5,"currency":"UGX"},"customer":{"name":"Ada","msisdn":"256"}}';
    expect(read('POST https://pay.example/payments/v1/collections', body)).toMatchObject({
      party: 'Ada · 256',
      isCollection: true,
    });
  });

  it('says nothing of a body that cannot be read, and asks all the same', () => {
    expect(read('POST https://pay.example/payments/v1/remittance', '{"transaction":')).toMatchObject({
      reference: null,
      amount: null,
      party: null,
    });
  });

  it.each(['POST https://pay.example/tsq/v1/query/payments', 'GET https://pay.example/payments/v1/payouts'])(
    'finds no payment in %s',
    (line) => expect(read(line, '{"transaction":{"amount":5}}')).toBeNull(),
  );
});
