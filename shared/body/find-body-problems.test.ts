import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../http-file/parse-http-file';
import { writeNewRequest } from '../http-file/new-request';
import type { OperationName } from '../payments/tables/operations';
import { applyEdit, variableFor } from './edit-body';
import { findBodyProblems } from './find-body-problems';
import { countProcessorMs } from '../../test/support/processor-time';

const sources = { now: () => Date.UTC(2030, 0, 31, 12), uuid: () => 'uuid-1', sample: variableFor };
const bodyOf = (operation: OperationName): string =>
  parseHttpFile(writeNewRequest({ name: 'New', operation })).requests[0]!.body!;
const problems = (operation: string, body: string) => findBodyProblems(operation, body, sources);

describe('findBodyProblems', () => {
  it('finds nothing in what a new request begins with, and judges no value that is not there yet', () => {
    for (const operation of ['remittance', 'payout', 'collection', 'status', 'send_test', 'token'] as const) {
      expect(problems(operation, bodyOf(operation))).toEqual([]);
    }
    expect(problems('other', '{"a":1}')).toEqual([]);
  });

  it.each([
    ['payout', '"KES"', '"kes"', 'transaction.currency must be an ISO 4217', 'Write KES', '"KES"'],
    [
      'payout',
      '"254720000555"',
      '"+254 720 000 555"',
      'originator.msisdn must be',
      'Write 254720000555',
      '"254720000555"',
    ],
    ['payout', '1500', '"1500"', 'transaction.amount must be a whole number', 'Write 1500', '1500'],
    [
      'payout',
      '"{{$isoTimestamp}}"',
      '"2030-01-31 12:00:00"',
      'timestamp must be an ISO 8601',
      'Write 2030-01-31T12:00:00Z',
      '"2030-01-31T12:00:00Z"',
    ],
    [
      'payout',
      '"{{$isoTimestamp}}"',
      '"soon"',
      'timestamp must be an ISO 8601',
      'The time of now',
      '"2030-01-31T12:00:00Z"',
    ],
    ['payout', '"{{$uuid}}"', '""', 'transaction.reference must not be empty', 'A new reference', '"uuid-1"'],
    [
      'remittance',
      `"{{$datetime 'YYYY-MM-DD HH:mm:ss'}}"`,
      '"2030-01-31T12:00:00.5Z"',
      'is in the ISO form',
      'Write 2030-01-31 12:00:00',
      '"2030-01-31 12:00:00"',
    ],
    ['remittance', '"MOMO"', '"Momo"', 'account_type must be one of MOMO, BANK', 'Write MOMO', '"MOMO"'],
    [
      'remittance',
      '"PASSPORT"',
      '"CR12"',
      'when originator_type is Individual',
      'Write PASSPORT',
      '"PASSPORT"',
    ],
    ['remittance', '"GB"', '"United Kingdom"', 'country must be', 'Write GB', '"GB"'],
  ] as const)(
    '%s: %s written as %s is refused as the sandbox refuses it, and mended',
    (operation, good, bad, message, label, mended) => {
      const body = bodyOf(operation);
      const at =
        operation === 'remittance' && good === '"GB"'
          ? body.indexOf('"country": "GB"') + 11
          : body.indexOf(good);
      const broken = body.slice(0, at) + bad + body.slice(at + good.length);
      const found = problems(operation, broken);
      expect(found.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
      expect(broken.slice(found[0]!.start, found[0]!.end)).toBe(bad);
      const fix = found[0]!.fixes.find((one) => one.label === label) ?? found[0]!.fixes[1]!;
      expect(applyEdit(broken, fix).slice(at, at + mended.length)).toBe(mended);
    },
  );

  it.each([
    ['2030-01-31 12:00:00', '2030-01-31T12:00:00Z'],
    // Without a zone it is UTC, as the field is, wherever this machine stands.
    ['2030-01-31T12:00:00', '2030-01-31T12:00:00Z'],
    ['2030-01-31T12:00', '2030-01-31T12:00:00Z'],
    ['2030-01-31', '2030-01-31T00:00:00Z'],
    ['2030-01-31T12:00:00+03:00', '2030-01-31T09:00:00Z'],
    ['Thu, 31 Jan 2030 12:00:00 GMT', '2030-01-31T12:00:00Z'],
    ['31 Jan 2030 12:00', null],
    ['01-31-2030', null],
    ['5', null],
    ['2030-02-31T25:00:00', null],
    ['+275760-09-12T12:00:00Z', null],
  ])('takes the time %s for %s', (written, wanted) => {
    const body = bodyOf('payout').replace('"{{$isoTimestamp}}"', JSON.stringify(written));
    const labels = problems('payout', body).flatMap(({ fixes }) => fixes.map(({ label }) => label));
    const times = labels.filter((label) => /^Write [^{]*:/.test(label));
    expect(times).toEqual(wanted === null ? [] : [`Write ${wanted}`]);
    const remittance = bodyOf('remittance').replace(
      /"\{\{\$datetime [^}]*\}\}"/,
      JSON.stringify(`${written} `),
    );
    const plain = problems('remittance', remittance).flatMap(({ fixes }) => fixes.map(({ label }) => label));
    expect(plain.filter((label) => /^Write [^{]*:/.test(label))).toEqual(
      wanted === null ? [] : [`Write ${wanted.replace('T', ' ').replace('Z', '')}`],
    );
  });

  it.each([
    ['payout', '"KES"', '" kes "', ['Write KES']],
    ['payout', '"KES"', '"shilling"', []],
    ['payout', '"KES"', '"Kenyan shilling"', ['Write KES']],
    ['payout', '"254720000555"', '254720000555', ['Put it in quotes']],
    ['payout', '"254712345678"', '254712345678', ['Put it in quotes']],
    ['payout', '"MPESA"', 'null', []],
    ['collection', '"254712345678"', '""', ['Remove msisdn']],
    ['collection', '"joseph@example.com"', 'null', ['Remove email']],
    ['payout', '1500', '" 1500 "', ['Write 1500']],
    ['payout', '1500', '"15 00"', []],
    ['payout', '1500', '"-5"', []],
    ['payout', '1500', `"${'1'.repeat(1001)}"`, []],
    ['payout', '"{{$uuid}}"', '7', ['Put it in quotes', 'A new reference', 'Write {{$uuid}}']],
    ['payout', '"254720000555"', '"00254720000555"', ['Write 254720000555']],
    ['payout', '"254720000555"', '"soon"', []],
    [
      'remittance',
      '"PASSPORT"',
      '"none of these"',
      ['Write DRIVING-LICENSE', 'Write PASSPORT', 'Write NATIONAL-ID'],
    ],
    ['remittance', '"GB"', '" gb "', ['Write GB']],
    ['remittance', '"GB"', '"Nowhere"', []],
  ] as const)('%s: offers for %s written as %s: %j', (operation, good, bad, wanted) => {
    const body = bodyOf(operation);
    const at =
      operation === 'remittance' && good === '"GB"'
        ? body.indexOf('"country": "GB"') + 11
        : body.indexOf(good);
    const found = problems(operation, body.slice(0, at) + bad + body.slice(at + good.length));
    expect(found.flatMap(({ fixes }) => fixes.map(({ label }) => label))).toEqual(wanted);
  });

  it('adds what is missing, one or all, laid out as the rest is', () => {
    const body =
      '{\n  "transaction": {\n    "reference": "R",\n    "amount": 1\n  },\n  "callback_url": "https://a.b/c"\n}';
    const found = problems('collection', body);
    const all = found.flatMap(({ fixes }) => fixes).find(({ label }) => label === 'Add all 2 missing')!;
    expect(applyEdit(body, all)).toContain('"amount": 1,\n    "currency": "",\n    "description": ""\n  }');
    const customer = found.flatMap(({ fixes }) => fixes).find(({ label }) => label === 'Add customer')!;
    const added = applyEdit(body, customer);
    expect((JSON.parse(added) as { customer: object }).customer).toEqual({ name: '' });
    const whole = problems('collection', '{}')
      .flatMap(({ fixes }) => fixes)
      .find(({ label }) => label.startsWith('Add all'))!;
    expect(applyEdit('{}', whole)).toMatch(
      /^\{\n {2}"transaction": \{\n {4}"reference": "\{\{\$uuid\}\}",\n/,
    );
    expect(Object.keys(JSON.parse(applyEdit('{}', whole)) as object)).toEqual([
      'transaction',
      'customer',
      'callback_url',
    ]);
  });

  it('offers to rename what is misspelt and to remove what is unknown', () => {
    const body = bodyOf('payout').replace('"service_code"', '"servicecode"');
    const unknown = problems('payout', body).find(({ code }) => code === 'fields.unknown')!;
    expect(unknown.fixes.map(({ label }) => label)).toEqual(['Rename to service_code', 'Remove servicecode']);
    expect(problems('payout', applyEdit(body, unknown.fixes[0]!))).toEqual([]);
    const last = '{"payment_uuid":"1","x":2}';
    expect(applyEdit(last, problems('status', last)[0]!.fixes.at(-1)!)).toBe('{"payment_uuid":"1"}');
  });

  it.each([
    ['1990-1-5', '1990-01-05'],
    ['1990/12/31', '1990-12-31'],
    ['1990-12-31T00:00:00Z', '1990-12-31'],
    [' 1990-1-5 ', '1990-01-05'],
    ['05/01/1990', null],
    ['born 1990-01-05', null],
    ['1990-01-05, a Friday', null],
    ['1990-13-01', null],
  ])('takes the day %s for %s', (written, wanted) => {
    const body = bodyOf('remittance').replace('"PASSPORT"', `"PASSPORT",\n"dob": "${written}"`);
    const labels = problems('remittance', body).flatMap(({ fixes }) => fixes.map(({ label }) => label));
    expect(labels).toEqual(wanted === null ? [] : [`Write ${wanted}`]);
  });

  it('knows what is meant for companies and for banks, and exactly one name of a payment', () => {
    const body = bodyOf('remittance')
      .replace('"MOMO"', '"BANK"')
      .replace('"API"', '"API",\n"company_name": "X"');
    expect(problems('remittance', body).map(({ code }) => code)).toEqual([
      'fields.out_of_place',
      'fields.expected',
    ]);
    const labels = (text: string) =>
      problems('status', text).map(({ fixes }) => fixes.map(({ label }) => label));
    expect(labels('{"payment_uuid":"1","request_uuid":"2"}')).toEqual([
      ['Remove request_uuid'],
      ['Remove payment_uuid'],
    ]);
    expect(labels('{"payment_uuid":5,"request_uuid":"2"}')).toEqual([
      ['Put it in quotes', 'Remove payment_uuid'],
    ]);
    expect(problems('status', '{"payment_uuid":"PR-1"}')).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('payment_uuid is no numeric text') as string },
    ]);
    expect(problems('status', '{"payment_uuid":"70001"}')).toEqual([]);
    expect(problems('status', '{"payment_uuid":"1","payment_uuid":"2"}').map(({ code }) => code)).toEqual([
      'fields.repeated',
    ]);
  });

  it('is quick and bounded over hostile bodies', () => {
    const processorMs = countProcessorMs();
    const many = `{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":1`).join(',')}}`;
    expect(problems('payout', many)).toHaveLength(1);
    expect(
      problems('payout', `{${Array.from({ length: 500 }, (_, at) => `"k${at}":1`).join(',')}}`),
    ).toHaveLength(51);
    for (const body of [
      '['.repeat(1_000_000),
      '{"a":'.repeat(10_000),
      '{{a}}'.repeat(200_000),
      '"\\'.repeat(500_000),
      '\0\uD800"',
      `{"transaction":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    ]) {
      expect(problems('payout', body).length).toBeLessThan(60);
    }
    expect(processorMs()).toBeLessThan(5000);
  });

  it('checks bodies of up to 1 MiB, and says of longer ones that nothing is known', () => {
    const long = (length: number) => `{${' '.repeat(length - 2)}}`;
    expect(problems('status', long(1024 * 1024))).toMatchObject([{ code: 'fields.body', start: 0, end: 1 }]);
    expect(problems('status', long(1024 * 1024 + 1))).toMatchObject([
      { message: expect.stringContaining('too large to be checked') as string, start: 0, end: 1 },
    ]);
  });

  it.each(['', ' ', '{"x":1', '{"x":1,,}', '{"x":}', '{"x" 1}'])(
    'says nothing of %j: it is no JSON',
    (body) => {
      expect(problems('status', body)).toEqual([]);
    },
  );

  it('knows what the digits of an amount are where a number loses them', () => {
    const body = bodyOf('payout').replace('1500', '1500.00000000000000000001');
    expect(problems('payout', body).map(({ message }) => message)).toEqual([
      'transaction.amount must be a whole number in major currency units, such as 1000.',
    ]);
  });

  it.each([
    ['payout', '{"transaction":{"amount":false}}', 'transaction.amount', 'without quotes, such as 1000.'],
    ['send_test', '{"amount":false}', 'amount', 'must be a number, without quotes.'],
    ['send_test', '{"amount":true}', 'amount', 'must be a number, without quotes.'],
  ])('%s: takes a word for no number in %s', (operation, body, field, message) => {
    const found = problems(operation, body).find((one) => one.message.startsWith(field))!;
    expect(found.message).toContain(message);
    expect(found.fixes).toEqual([]);
  });

  it.each([
    ['send_test', '{"amount":"1500"}', 'amount', ['Write 1500']],
    ['payout', '{"transaction":5}', 'transaction', []],
    ['status', '{"request_uuid":12.345}', 'request_uuid', ['Put it in quotes']],
    ['status', '{"request_uuid":1.5}', 'request_uuid', ['Put it in quotes']],
    ['status', '{"request_uuid":1e3}', 'request_uuid', []],
    ['status', '{"request_uuid":-5}', 'request_uuid', []],
    ['payout', `{"transaction":{"currency":" ${'x'.repeat(990)} KES "}}`, 'transaction.currency', []],
    [
      'payout',
      `{"transaction":{"timestamp":"${'x'.repeat(1000)}"}}`,
      'transaction.timestamp',
      ['The time of now', 'Write {{$isoTimestamp}}'],
    ],
  ])('%s: offers for %s at %s: %j', (operation, body, field, labels) => {
    const found = problems(operation, body).find(({ message }) => message.startsWith(`${field} `))!;
    expect(found.fixes.map(({ label }) => label)).toEqual(labels);
  });

  it('puts what is missing where the interface has it', () => {
    const body = '{"transaction":{"reference":"R","currency":"KES"},"callback_url":"https://a.b/c"}';
    const fix = (label: string) =>
      problems('payout', body)
        .flatMap(({ fixes }) => fixes)
        .find((one) => one.label === label)!;
    expect(applyEdit(body, fix('Add amount'))).toContain('"reference":"R","amount":0,"currency":"KES"}');
    expect(applyEdit(body, fix('Add originator'))).toMatch(/"KES"\},"originator":\{.*\},"callback_url"/);
  });

  it('marks the first brace where more is wrong than is listed', () => {
    const many = Array.from({ length: 60 }, (_, at) => `"q${at}":1`).join(',');
    expect(problems('payout', ` {${many}}`).at(-1)).toMatchObject({ code: 'fields.more', start: 1, end: 2 });
  });

  it('offers no name that stands there already, and shortens one that nobody could read', () => {
    const labels = (body: string) =>
      problems('status', body).flatMap(({ fixes }) => fixes.map(({ label }) => label));
    expect(labels('{"payment_uuid":"1","payment_uid":"2"}')).toEqual(['Remove payment_uid']);
    const [found] = problems('status', `{"payment_uuid":"1","${'q'.repeat(121)}":1}`);
    expect(found!.message).toBe(`${'q'.repeat(120)} is no field of the interface.`);
  });

  it('knows what is meant for banks only', () => {
    const body = bodyOf('remittance').replace('"MOMO"', '"MOMO", "bank_code": "7"');
    expect(problems('remittance', body).map(({ message }) => message)).toEqual([
      'recipient.bank_code is meant for BANK, and account_type is MOMO.',
    ]);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'takes “%s” for a type that there is not, as any other',
    (type) => {
      const body = bodyOf('remittance')
        .replace('"Individual"', `"${type}"`)
        .replace('"PASSPORT"', '"PASPORT"');
      const found = problems('remittance', body);
      expect(found.map(({ message }) => message.split(' ')[0])).toEqual([
        'originator.originator_type',
        'originator.id_type',
      ]);
      expect(found[1]!.fixes.map(({ label }) => label)).toEqual(['Write PASSPORT']);
    },
  );

  it('says of a time that it is in the ISO form where it is', () => {
    const messages = (time: string) =>
      problems(
        'remittance',
        bodyOf('remittance').replace(/"\{\{\$datetime [^}]*\}\}"/, JSON.stringify(time)),
      ).map(({ message }) => message);
    expect(messages('2030-01-31T12:00:00Z')).toEqual([expect.stringContaining('is in the ISO form')]);
    expect(messages('2030-01-31 12:00:00')).toEqual([]);
    for (const none of ['soonZ', '2030-01-31T10:00Z', 'Z']) {
      expect(messages(none)).toEqual([expect.stringContaining('must be a UTC time as YYYY-MM-DD HH:mm:ss')]);
    }
  });
});
