import { expect, it } from 'vitest';
import { variableFor } from './edit-body';
import { findBodyProblems } from './find-body-problems';

const sources = { now: () => Date.UTC(2030, 0, 31, 12), uuid: () => 'uuid-1', sample: variableFor };

/** Each problem whose sentence begins so, what it stands at, and what its fixes put where. */
const listProblems = (operation: string, text: string, about: string): string[] =>
  findBodyProblems(operation, text, sources)
    .filter(({ message }) => message.startsWith(about))
    .flatMap(({ code, severity, message, start, end, fixes }) => [
      `${severity} ${code} at ${text.slice(start, end)}: ${message}`,
      ...fixes.map((fix) => `${fix.label}: ${text.slice(fix.start, fix.end)} → ${fix.text}`),
    ]);

it.each<[operation: string, body: string, about: string, said: string[]]>([
  [
    'status',
    '{"payment_uuid":"1","payment_uuid":"2"}',
    '',
    [
      'warning fields.repeated at "payment_uuid": payment_uuid stands more than once: the last one counts here, the first one elsewhere.',
      'Remove this one: "payment_uuid":"1", → ',
    ],
  ],
  [
    'status',
    '{"payment_uuid":"1","zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz":{"a":[]}}',
    '',
    [
      'warning fields.unknown at "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz": zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz is no field of the interface.',
      'Remove zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz: ,"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz":{"a":[]} → ',
    ],
  ],
  ['status', '[]', '', []],
  ['status', '{"payment_uuid":{{x}}}', '', []],
  [
    'status',
    '{"payment_uuid":true}',
    '',
    ['error fields.value at true: payment_uuid must be text (a JSON string).'],
  ],
  [
    'status',
    '{"payment_uuid":null}',
    '',
    [
      'error fields.value at null: payment_uuid must be text (a JSON string).',
      'Remove payment_uuid: "payment_uuid":null → ',
    ],
  ],
  [
    'status',
    '{}',
    '',
    [
      'error fields.body at {: body must name the payment by exactly one of transaction_reference, request_uuid, payment_uuid.',
      'Add transaction_reference:  → "transaction_reference": ""',
      'Add request_uuid:  → "request_uuid": ""',
      'Add payment_uuid:  → "payment_uuid": ""',
    ],
  ],
  ['status', 'x', '', []],
  ['status', '{"payment_uuid":"1"', '', []],
  [
    'status',
    '{"payment_uid":"1"}',
    'payment_uid ',
    [
      'warning fields.unknown at "payment_uid": payment_uid is no field of the interface.',
      'Rename to payment_uuid: "payment_uid" → "payment_uuid"',
      'Remove payment_uid: "payment_uid":"1" → ',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":"12.50","currency":" kes"},"originator":{"country":"Kenya","msisdn":"+00254 700 000000"}}',
    'transaction.currency',
    [
      'error fields.value at " kes": transaction.currency must be an ISO 4217 code in capitals, such as KES.',
      'Write KES: " kes" → "KES"',
    ],
  ],
  [
    'payout',
    '{"originator":{"country":" kenya ","msisdn":"+00254 700 000000"}}',
    'originator.country',
    [
      'error fields.value at " kenya ": originator.country must be an ISO 3166-1 code of two or three capital letters, such as KE or KEN.',
      'Write KE: " kenya " → "KE"',
    ],
  ],
  [
    'payout',
    '{"originator":{"country":" ke ","msisdn":"+00254 700 000000"}}',
    'originator.country',
    [
      'error fields.value at " ke ": originator.country must be an ISO 3166-1 code of two or three capital letters, such as KE or KEN.',
      'Write KE: " ke " → "KE"',
    ],
  ],
  [
    'payout',
    '{"originator":{"country":"Atlantis","msisdn":"+00254 700 000000"}}',
    'originator.',
    [
      'error fields.value at "+00254 700 000000": originator.msisdn must be a phone number in digits with its country prefix and no plus sign, such as 254700000000.',
      'Write 254700000000: "+00254 700 000000" → "254700000000"',
      'error fields.missing at "originator": originator.channel is required.',
      'Add channel:  → ,"channel":""',
      'Add all 3 missing:  → ,"channel":"","name":"","purpose":""',
      'error fields.value at "Atlantis": originator.country must be an ISO 3166-1 code of two or three capital letters, such as KE or KEN.',
      'error fields.missing at "originator": originator.name is required.',
      'Add name:  → ,"name":""',
      'Add all 3 missing:  → ,"channel":"","name":"","purpose":""',
      'error fields.missing at "originator": originator.purpose is required.',
      'Add purpose:  → ,"purpose":""',
      'Add all 3 missing:  → ,"channel":"","name":"","purpose":""',
    ],
  ],
  [
    'payout',
    '{"originator":{"country":5}}',
    'originator.country',
    [
      'error fields.value at 5: originator.country must be text (a JSON string): it must be an ISO 3166-1 code of two or three capital letters, such as KE or KEN.',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":"12.50"}}',
    'transaction.amount',
    [
      'error fields.value at "12.50": transaction.amount must be a whole number in major currency units, without quotes, such as 1000.',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":-5}}',
    'transaction.amount',
    ['error fields.value at -5: transaction.amount must be above zero.'],
  ],
  [
    'payout',
    '{"transaction":{"amount":"1e3"}}',
    'transaction.amount',
    [
      'error fields.value at "1e3": transaction.amount must be a whole number in major currency units, without quotes, such as 1000.',
      'Write 1000: "1e3" → 1000',
    ],
  ],
  ['payout', '{"transaction":{"amount":1500.00}}', 'transaction.amount', []],
  [
    'payout',
    '{"transaction":"x"}',
    'transaction',
    ['error fields.value at "x": transaction must be an object of keys and values.'],
  ],
  [
    'payout',
    '{"transaction":"x"}',
    'recipient',
    [
      'error fields.missing at {: recipient is required: an object with reference, account, name, destination_code.',
      'Add recipient:  → ,"recipient":{"reference":"","account":"","name":"","destination_code":""}',
      'Add all 3 missing:  → ,"originator":{"msisdn":"","channel":"","country":"","name":"","purpose":""},"recipient":{"reference":"","account":"","name":"","destination_code":""},"callback_url":""',
    ],
  ],
  [
    'payout',
    `{
  "transaction": {
    "amount": 5
  }
}`,
    'transaction.reference',
    [
      'error fields.missing at "transaction": transaction.reference is required.',
      `Add reference:  → ,
    "reference": "{{$uuid}}"`,
      `Add all 5 missing:  → ,
    "reference": "{{$uuid}}",
    "currency": "",
    "description": "",
    "service_code": "",
    "timestamp": "{{$isoTimestamp}}"`,
    ],
  ],
  [
    'payout',
    `{
  "transaction": {}
}`,
    'transaction.amount',
    [
      'error fields.missing at "transaction": transaction.amount is required.',
      `Add amount:  → 
    "amount": 0
  `,
      `Add all 6 missing:  → 
    "reference": "{{$uuid}}",
    "amount": 0,
    "currency": "",
    "description": "",
    "service_code": "",
    "timestamp": "{{$isoTimestamp}}"
  `,
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"2030-01-31T10:00:00+03:00"}}',
    'transaction.timestamp',
    [
      'error fields.value at "2030-01-31T10:00:00+03:00": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'Write 2030-01-31T07:00:00Z: "2030-01-31T10:00:00+03:00" → "2030-01-31T07:00:00Z"',
      'The time of now: "2030-01-31T10:00:00+03:00" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "2030-01-31T10:00:00+03:00" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"2030-01-31T10:00:00+0300"}}',
    'transaction.timestamp',
    [
      'error fields.value at "2030-01-31T10:00:00+0300": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'Write 2030-01-31T07:00:00Z: "2030-01-31T10:00:00+0300" → "2030-01-31T07:00:00Z"',
      'The time of now: "2030-01-31T10:00:00+0300" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "2030-01-31T10:00:00+0300" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"31 Jan 2030 10:00:00.25 GMT"}}',
    'transaction.timestamp',
    [
      'error fields.value at "31 Jan 2030 10:00:00.25 GMT": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'Write 2030-01-31T10:00:00Z: "31 Jan 2030 10:00:00.25 GMT" → "2030-01-31T10:00:00Z"',
      'The time of now: "31 Jan 2030 10:00:00.25 GMT" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "31 Jan 2030 10:00:00.25 GMT" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"31 Jan 2030 10:00 UTC"}}',
    'transaction.timestamp',
    [
      'error fields.value at "31 Jan 2030 10:00 UTC": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'Write 2030-01-31T10:00:00Z: "31 Jan 2030 10:00 UTC" → "2030-01-31T10:00:00Z"',
      'The time of now: "31 Jan 2030 10:00 UTC" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "31 Jan 2030 10:00 UTC" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"2030-01-31"}}',
    'transaction.timestamp',
    [
      'error fields.value at "2030-01-31": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'Write 2030-01-31T00:00:00Z: "2030-01-31" → "2030-01-31T00:00:00Z"',
      'The time of now: "2030-01-31" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "2030-01-31" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"2030-02-01 10:00"}}',
    'transaction.timestamp',
    [
      'error fields.value at "2030-02-01 10:00": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'Write 2030-02-01T10:00:00Z: "2030-02-01 10:00" → "2030-02-01T10:00:00Z"',
      'The time of now: "2030-02-01 10:00" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "2030-02-01 10:00" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"2030-02-01 10:00:00.123456"}}',
    'transaction.timestamp',
    [
      'error fields.value at "2030-02-01 10:00:00.123456": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'Write 2030-02-01T10:00:00Z: "2030-02-01 10:00:00.123456" → "2030-02-01T10:00:00Z"',
      'The time of now: "2030-02-01 10:00:00.123456" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "2030-02-01 10:00:00.123456" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"x 2030-02-01"}}',
    'transaction.timestamp',
    [
      'error fields.value at "x 2030-02-01": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'The time of now: "x 2030-02-01" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "x 2030-02-01" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"2030-02-01 10:00 x"}}',
    'transaction.timestamp',
    [
      'error fields.value at "2030-02-01 10:00 x": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'The time of now: "2030-02-01 10:00 x" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "2030-02-01 10:00 x" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"soon"}}',
    'transaction.timestamp',
    [
      'error fields.value at "soon": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'The time of now: "soon" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "soon" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'payout',
    '{"transaction":{"timestamp":"5"}}',
    'transaction.timestamp',
    [
      'error fields.value at "5": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.',
      'The time of now: "5" → "2030-01-31T12:00:00Z"',
      'Write {{$isoTimestamp}}: "5" → "{{$isoTimestamp}}"',
    ],
  ],
  [
    'remittance',
    '{"transaction":{"timestamp":"2030-01-31T10:00Z"}}',
    'transaction.timestamp',
    [
      'error fields.value at "2030-01-31T10:00Z": transaction.timestamp must be a UTC time as YYYY-MM-DD HH:mm:ss, such as 2030-01-31 12:00:00.',
      'Write 2030-01-31 10:00:00: "2030-01-31T10:00Z" → "2030-01-31 10:00:00"',
      'The time of now: "2030-01-31T10:00Z" → "2030-01-31 12:00:00"',
      `Write {{$datetime 'YYYY-MM-DD HH:mm:ss'}}: "2030-01-31T10:00Z" → "{{$datetime 'YYYY-MM-DD HH:mm:ss'}}"`,
    ],
  ],
  [
    'remittance',
    '{"originator":{"originator_type":"Corporate","id_type":"PASSPORT"}}',
    'originator.id_type',
    [
      'error fields.value at "PASSPORT": originator.id_type must be one of CERTIFICATE-OF-INCORPORATION, REGISTRATION-NUMBER, CR12 when originator_type is Corporate.',
      'Write CERTIFICATE-OF-INCORPORATION: "PASSPORT" → "CERTIFICATE-OF-INCORPORATION"',
      'Write REGISTRATION-NUMBER: "PASSPORT" → "REGISTRATION-NUMBER"',
      'Write CR12: "PASSPORT" → "CR12"',
    ],
  ],
  [
    'remittance',
    '{"originator":{"originator_type":"corporat"}}',
    'originator.originator_type',
    [
      'error fields.value at "corporat": originator.originator_type must be one of Individual, Corporate.',
      'Write Corporate: "corporat" → "Corporate"',
    ],
  ],
  [
    'remittance',
    '{"originator":{"originator_type":"Individual","company_name":"C"}}',
    'originator.company_name',
    [
      'warning fields.out_of_place at "company_name": originator.company_name is meant for Corporate, and originator_type is Individual.',
      'Remove company_name: ,"company_name":"C" → ',
    ],
  ],
  [
    'remittance',
    '{"originator":{"originator_type":"{{type}}","company_name":"C"}}',
    'originator.company',
    [],
  ],
  ['remittance', '{"originator":{"company_name":"C"}}', 'originator.company', []],
  [
    'remittance',
    '{"originator":{"originator_type":"Corporate"}}',
    'originator.company',
    [
      'warning fields.expected at "Corporate": originator.company_name is not there: the interface names it for Corporate.',
      'Add company_name:  → ,"company_name":""',
      'warning fields.expected at "Corporate": originator.company_registration is not there: the interface names it for Corporate.',
      'Add company_registration:  → ,"company_registration":""',
    ],
  ],
  [
    'remittance',
    '{"originator":{"originator_type":"Corporate","company_name":"C"}}',
    'originator.company_name',
    [],
  ],
  // What is wrong is the type; of what it stands beside nothing is known then.
  ['remittance', '{"originator":{"originator_type":"","company_name":"C"}}', 'originator.company', []],
  ['remittance', '{"originator":{"originator_type":"person","company_name":"C"}}', 'originator.company', []],
  [
    'payout',
    '{"transaction":{"amount":true}}',
    'transaction.amount',
    [
      'error fields.value at true: transaction.amount must be a whole number in major currency units, without quotes, such as 1000.',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":null}}',
    'transaction.amount',
    [
      'error fields.value at null: transaction.amount must be a whole number in major currency units, without quotes, such as 1000.',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":{}}}',
    'transaction.amount',
    [
      'error fields.value at {}: transaction.amount must be a whole number in major currency units, without quotes, such as 1000.',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":[]}}',
    'transaction.amount',
    [
      'error fields.value at []: transaction.amount must be a whole number in major currency units, without quotes, such as 1000.',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":1500.50}}',
    'transaction.amount',
    [
      'error fields.value at 1500.50: transaction.amount must be a whole number in major currency units, such as 1000.',
    ],
  ],
  [
    'payout',
    '{"transaction":{"amount":0}}',
    'transaction.amount',
    ['error fields.value at 0: transaction.amount must be above zero.'],
  ],
  [
    'payout',
    '{"transaction":{"amount":12345678901234567890}}',
    'transaction.amount',
    [
      'error fields.value at 12345678901234567890: transaction.amount must be at most 9007199254740991: larger amounts cannot be kept exactly.',
    ],
  ],
  ['payout', '{"transaction":{"amount":1e2}}', 'transaction.amount', []],
  [
    'payout',
    '{\n  "meta": {}\n}',
    'recipient',
    [
      'error fields.missing at {: recipient is required: an object with reference, account, name, destination_code.',
      'Add recipient:  → ,\n  "recipient": { "reference": "", "account": "", "name": "", "destination_code": "" }',
      'Add all 4 missing:  → ,\n  "transaction": { "reference": "{{$uuid}}", "amount": 0, "currency": "", "description": "", "service_code": "", "timestamp": "{{$isoTimestamp}}" },\n  "originator": { "msisdn": "", "channel": "", "country": "", "name": "", "purpose": "" },\n  "recipient": { "reference": "", "account": "", "name": "", "destination_code": "" },\n  "callback_url": ""',
    ],
  ],
  [
    'payout',
    `{"transaction":{"timestamp":"${'x'.repeat(1001)}"}}`,
    'transaction.timestamp',
    [
      `error fields.value at "${'x'.repeat(1001)}": transaction.timestamp must be an ISO 8601 UTC time ending in Z, such as 2030-01-31T12:00:00Z.`,
    ],
  ],
  [
    'status',
    `{${Array.from({ length: 2001 }, (_, at) => `"q${at}":1`).join(',')}}`,
    '',
    [
      'warning fields.more at {: This body is too large to be checked field by field: nothing is known to be wrong, or right.',
    ],
  ],
])(
  'says of %s, in %j, about “%s”: what is wrong, where, and what ends it',
  (operation, body, about, said) => {
    expect(listProblems(operation, body, about)).toEqual(said);
  },
);

it('lists fifty problems, and how many more there are', () => {
  const list = (count: number) => {
    const others = Array.from({ length: count }, (_, at) => `"q${at}":1`).join(',');
    return findBodyProblems('status', `{"payment_uuid":"1",${others}}`, sources).map(
      ({ message }) => message,
    );
  };
  expect(list(50)).toHaveLength(50);
  expect(list(50).at(-1)).toBe('q49 is no field of the interface.');
  expect(list(60)).toHaveLength(51);
  expect(list(60).at(-1)).toBe('10 more of these.');
});
