import { describe, expect, it } from 'vitest';
import { explainAnswer } from './explain-answer';

const explain = (body: unknown) =>
  Object.fromEntries(explainAnswer(JSON.stringify(body))!.fields.map(({ path, note }) => [path, note]));

describe('explainAnswer', () => {
  it('says what each field of an acceptance and of a status record means', () => {
    const data = { payment_uuid: '7', amount: 10, state: 'failed', payment_reference: 'P' };
    expect(explain({ status: '200.100', code: 'ACCEPTED', description: 'ok', data })).toEqual({
      status: 'The request was understood; the code tells the outcome',
      code: 'Accepted: the final outcome comes by webhook',
      description: 'What happened, for a person',
      'data.payment_uuid': 'Numeric text',
      'data.amount': 'Amount',
      'data.state': 'State of the payment',
      'data.payment_reference': 'The service’s reference; never to be sent as `payment_uuid`',
    });
  });

  it('says that something is wrong of the message of an error and of a refused field alone', () => {
    const wrong = 'What is wrong, for a person';
    expect(explain({ error: 'bad_request', message: 'no' })).toMatchObject({ message: wrong });
    const data = { field_errors: [{ field: 'amount', message: 'no' }] };
    const refused = explain({ code: '400.100', status: 'REJECTED', data });
    expect(refused).toMatchObject({ 'data.field_errors[0].message': wrong });
    const good = explain({ status: '200.100', code: 'ACCEPTED', message: 'ok', data: { message: 'queued' } });
    const neutral = 'A message, for a person';
    expect(good).toMatchObject({ message: neutral, 'data.message': neutral });
    for (const error of [null, false, '', 0, {}, []]) {
      expect(explain({ error, data: { field_errors: [] }, message: 'ok' })).toMatchObject({
        message: neutral,
      });
    }
    expect(explain({ error: { reason: 'x' }, message: 'no' })).toMatchObject({ message: wrong });
  });

  it('tells both meanings of 400.100 apart', () => {
    const data = { field_errors: [{ field: 'recipient.account', message: 'wrong' }] };
    expect(explain({ code: '400.100', status: 'REJECTED', data })).toMatchObject({
      code: 'Validation failed',
      'data.field_errors[0].field': 'Path of the field that was refused',
    });
    expect(explain({ status: '400.100', code: 'REJECTED', data: null })).toMatchObject({
      status: 'Refused; the description says why',
      data: 'Nothing further',
    });
  });

  it('reads wallets, the error object and the balance errors', () => {
    expect(explain({ results: [{ currency: 'KES', status: 'ACTIVE' }] })).toEqual({
      'results[0].currency': 'ISO 4217, upper case',
      'results[0].status': 'State of the wallet',
    });
    expect(explain({ error: 'bad', message: 'm', param: 'a', request_id: 'q' })).not.toContain(null);
    expect(explain({ code: 404, status: 'FAILED', results: {} })).toEqual({
      code: 'Not provisioned for the token’s product',
      status: 'Failed',
      results: 'Nothing: no wallet, or none may be seen',
    });
  });

  it('leaves what the interface does not name as it is, numbers as written', () => {
    const read = explainAnswer('{"fee":1e3,"deep":{"a":{"b":{"c":{"d":1.00}}}},"status":"ODD"}');
    expect(read?.fields).toEqual([
      { path: 'fee', value: '1e3', note: null },
      { path: 'deep.a.b.c', value: '{"d":1.00}', note: null },
      { path: 'status', value: 'ODD', note: null },
    ]);
    expect(explainAnswer('<html>')).toBeNull();
  });

  it('is bounded', () => {
    const many = explainAnswer(`[${'{"a":1},'.repeat(5000)}1]`);
    expect(many).toMatchObject({ isCut: true });
    expect(many!.fields).toHaveLength(300);
  });
});
