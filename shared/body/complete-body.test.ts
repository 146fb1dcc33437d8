import { describe, expect, it } from 'vitest';
import { completeBody, describeBody } from './complete-body';
import { applyEdit, variableFor } from './edit-body';

const sources = {
  now: () => Date.UTC(2030, 0, 31, 12),
  uuid: () => 'uuid-1',
  sample: variableFor,
  variables: [
    { name: 'base_url', detail: 'http://x' },
    { name: '$uuid', detail: 'a new UUID' },
  ],
  used: { 'transaction.service_code': ['MPESA-KE'] },
};

/** `|` is the cursor. */
function complete(marked: string, operation = 'payout') {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  return completeBody(operation, text, offset, sources).map((one) => ({
    label: one.label,
    detail: one.detail,
    result: `${applyEdit(text, one).slice(0, one.start + one.caret)}|${applyEdit(text, one).slice(one.start + one.caret)}`,
  }));
}
const labels = (marked: string, operation?: string) => complete(marked, operation).map(({ label }) => label);

describe('completeBody', () => {
  it('offers the fields of an object that are not there yet, half written or not', () => {
    expect(labels('{"transaction":{"reference":"R",|}}')).toEqual([
      'amount',
      'currency',
      'description',
      'service_code',
      'timestamp',
    ]);
    expect(labels('{"transaction":{"reference":"R", "cu|"}}')).toEqual(['currency']);
    expect(labels('{\n  "transaction": {\n    "am|\n    "currency": "KES"\n  }\n}')[0]).toBe('amount');
    expect(labels('{|', 'status')).toEqual(['transaction_reference', 'request_uuid', 'payment_uuid']);
    expect(labels('{"meta":{"|"}}')).toEqual([]);
  });

  it('writes a field with its value to begin with, and puts the cursor where one goes on', () => {
    expect(complete('{"transaction":{"am|"\n"currency":"KES"}}')[0]!.result).toBe(
      '{"transaction":{"amount": |0,\n"currency":"KES"}}',
    );
    expect(complete('{"transaction":{"time|"}}')[0]!.result).toBe(
      '{"transaction":{"timestamp": "{{$isoTimestamp}}"|}}',
    );
    expect(complete('{"transaction":{"am|":5}}')[0]!.result).toBe('{"transaction":{"amount"|:5}}');
  });

  it('offers values by the same tables as the checks', () => {
    expect(labels('{"transaction":{"currency":"KE|"}}')).toEqual(['KES']);
    expect(labels('{"transaction":{"currency": |}}')).toEqual(expect.arrayContaining(['AED', 'KES', 'ZWG']));
    expect(labels('{"originator":{"country": |}}')).toEqual(expect.arrayContaining(['AF', 'KEN', 'ZWE']));
    expect(complete('{"originator":{"country":"keny|"}}').map(({ label }) => label)).toEqual(['KE', 'KEN']);
    expect(labels('{"transaction":{"service_code":"|"}}')).toEqual(['MPESA-KE']);
    expect(labels('{"originator":{"channel":"|"}}')).toEqual(['USSD', 'API']);
    expect(labels('{"status":"|"}', 'send_test')).toEqual(['SUCCESS', 'FAILED', 'CANCELED']);
    expect(labels('{"transaction":{"timestamp":"|"}}')).toEqual([
      '{{$isoTimestamp}}',
      '2030-01-31T12:00:00Z',
    ]);
    expect(labels('{"transaction":{"timestamp":"|"}}', 'remittance')).toEqual([
      "{{$datetime 'YYYY-MM-DD HH:mm:ss'}}",
      '2030-01-31 12:00:00',
    ]);
    const corporate = '{"originator":{"originator_type":"Corporate","id_type":"|"}}';
    expect(labels(corporate, 'remittance')).toEqual([
      'CERTIFICATE-OF-INCORPORATION',
      'REGISTRATION-NUMBER',
      'CR12',
    ]);
    expect(complete(corporate, 'remittance')[2]!.result).toContain('"id_type":"CR12"|');
  });

  it('offers variables behind {{ anywhere, and closes the braces once', () => {
    expect(labels('{"a":"{{ba|"}')).toEqual(['{{base_url}}']);
    expect(complete('{"a":"{{$u|}}"}')[0]!.result).toBe('{"a":"{{$uuid}}|"}');
    expect(labels('no JSON {{|')).toHaveLength(2);
  });

  it('says what a field is, and what its code stands for', () => {
    const text = '{"originator":{"country":"KE"}}';
    expect(describeBody('payout', text, text.indexOf('KE'))?.lines).toEqual([
      expect.stringContaining('originator.country'),
      'Required text, part of the string to sign.',
      expect.stringContaining('ISO 3166-1'),
      'KE: Kenya.',
    ]);
    expect(describeBody('payout', text, text.length)).toBeNull();
  });
});
