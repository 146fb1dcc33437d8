import { describe, expect, it } from 'vitest';
import { completeBody, describeBody, rankChoices, type CompletionSources } from './complete-body';
import { completeVariable } from './complete-variable';
import { applyEdit, variableFor } from './edit-body';

const sources: CompletionSources = {
  now: () => Date.UTC(2030, 0, 31, 12),
  uuid: () => 'uuid-1',
  sample: (rule) => (rule.name === 'description' ? '{{text}}' : variableFor(rule)),
  variables: ['base_url', 'x_base', 'amount', 'URL'].map((name) => ({ name, detail: `of ${name}` })),
  used: { 'transaction.currency': ['UGX', 'KES', 'none'], 'recipient.country': ['UG'] },
};

/** `|` is the cursor. */
const split = (marked: string): [text: string, offset: number] => [
  marked.replace('|', ''),
  marked.indexOf('|'),
];
function complete(marked: string, operation = 'payout'): string[] {
  const [text, offset] = split(marked);
  return completeBody(operation, text, offset, sources).map((one) => {
    const done = applyEdit(text, one);
    return `${one.label} (${one.detail}) ${done.slice(0, one.start + one.caret)}|${done.slice(one.start + one.caret)}`;
  });
}

const reference = (result: string) =>
  `transaction_reference (optional · The client’s reference at creation) ${result}`;
const request = (result: string) =>
  `request_uuid (optional · Request UUID that the platform returned) ${result}`;
const payment = (result: string) => `payment_uuid (optional · Numeric text) ${result}`;
const identity = (name: string, note: string) =>
  `${name} (optional · ${note}) {"originator":{"${name}": "|"}}`;

describe('what is offered, and what it makes of the body', () => {
  it.each<[marked: string, operation: string, offered: string[]]>([
    [
      '{|}',
      'status',
      [
        reference('{"transaction_reference": "|"}'),
        request('{"request_uuid": "|"}'),
        payment('{"payment_uuid": "|"}'),
      ],
    ],
    ['{"payment|_uuid"}', 'status', [payment('{"payment_uuid": "|"}')]],
    ['{"UUID|"}', 'status', [request('{"request_uuid": "|"}'), payment('{"payment_uuid": "|"}')]],
    ['{"p|": 1}', 'status', [payment('{"payment_uuid"|: 1}')]],
    ['{"p|"   \n\n"request_uuid":1}', 'status', [payment('{"payment_uuid": "|",   \n\n"request_uuid":1}')]],
    ['{p|', 'status', [payment('{"payment_uuid": "|"')]],
    [
      '{"re|" x"',
      'status',
      [request('{"request_uuid": "|" x"'), reference('{"transaction_reference": "|" x"')],
    ],
    [
      '{|"payment_uuid":1}',
      'status',
      [
        reference('{"transaction_reference"|:1}'),
        request('{"request_uuid"|:1}'),
        payment('{"payment_uuid"|:1}'),
      ],
    ],
    [
      '{"payment_uuid"\n|',
      'status',
      [
        reference('{"payment_uuid"\n"transaction_reference": "|"'),
        request('{"payment_uuid"\n"request_uuid": "|"'),
      ],
    ],
    ['{"payment_uuid"|: 1}', 'status', [payment('{"payment_uuid"|: 1}')]],
    ['{"payment_uuid"|', 'status', [payment('{"payment_uuid": "|"')]],
    [
      '{"transaction":{"am|',
      'payout',
      [
        'amount (required · Whole major currency units, above zero) {"transaction":{"amount": |0',
        'timestamp (required · ISO 8601 in UTC, ending in `Z`) {"transaction":{"timestamp": "{{$isoTimestamp}}"|',
      ],
    ],
    [
      '{"transaction":{"time|"\n"currency":"KES"}}',
      'payout',
      [
        'timestamp (required · ISO 8601 in UTC, ending in `Z`) {"transaction":{"timestamp": "{{$isoTimestamp}}"|,\n"currency":"KES"}}',
      ],
    ],
    [
      '{"meta|"}',
      'payout',
      ['meta (optional · Free-form keys and values, echoed in webhooks) {"meta": {|}}'],
    ],
    [
      '{"transaction":{"reference": |}}',
      'payout',
      [
        '{{$uuid}} (drawn at each sending) {"transaction":{"reference": "{{$uuid}}"|}}',
        'uuid-1 (a new reference) {"transaction":{"reference": "uuid-1"|}}',
      ],
    ],
    [
      '{"tr|"}',
      'payout',
      [
        'transaction (required · What is paid) {"transaction": { "reference": "{{$uuid}}", "amount": 0, "currency": "", "description": "{{text}}", "service_code": "", "timestamp": "{{$isoTimestamp}}" }|}',
      ],
    ],
    [
      '{"originator":{"id|"}}',
      'remittance',
      [
        identity('id_type', 'Kind of identity document, by the type of the originator'),
        identity('id_number', 'Number of the identity document'),
        identity('id_expiry_date', 'Day on which the document expires'),
        identity('service_provider', 'Name of the sending provider, where the corridor asks for it'),
      ],
    ],
    [
      '{"transaction":{"currency":shilling|}}',
      'payout',
      [
        'UGX (Uganda shilling · used before) {"transaction":{"currency":"UGX"|}}',
        'KES (Kenyan shilling · used before) {"transaction":{"currency":"KES"|}}',
        'SOS (Somali shilling) {"transaction":{"currency":"SOS"|}}',
        'TZS (Tanzanian shilling) {"transaction":{"currency":"TZS"|}}',
      ],
    ],
    [
      '{"transaction":{"currency":"KES|"}}',
      'payout',
      ['KES (Kenyan shilling · used before) {"transaction":{"currency":"KES"|}}'],
    ],
    [
      '{"transaction":{"reference":|}}',
      'payout',
      [
        '{{$uuid}} (drawn at each sending) {"transaction":{"reference": "{{$uuid}}"|}}',
        'uuid-1 (a new reference) {"transaction":{"reference": "uuid-1"|}}',
      ],
    ],
    [
      '{"transaction":{"description": "|"}}',
      'payout',
      ['{{text}} (variable) {"transaction":{"description": "{{text}}"|}}'],
    ],
    [
      '{"a":"{{ BASE|_x }}"}',
      'status',
      ['{{base_url}} (of base_url) {"a":"{{base_url}}|"}', '{{x_base}} (of x_base) {"a":"{{x_base}}|"}'],
    ],
    [
      '{{u|}} x}}',
      'status',
      [
        '{{URL}} (of URL) {{URL}}| x}}',
        '{{base_url}} (of base_url) {{base_url}}| x}}',
        '{{amount}} (of amount) {{amount}}| x}}',
      ],
    ],
    ['{"a":"{{%am|"}', 'status', ['{{%amount}} (of amount) {"a":"{{%amount}}|"}']],
    [
      `{"a":"${' '.repeat(130)}{{am|"}`,
      'status',
      [`{{amount}} (of amount) {"a":"${' '.repeat(130)}{{amount}}|"}`],
    ],
  ])('%j of %s', (marked, operation, offered) => {
    expect(complete(marked, operation)).toEqual(offered);
  });

  it.each([
    '|',
    '|{}',
    '{"payment_uuid" | : 1}',
    '{"meta":{"a":{"b|"}}}',
    '{}|',
    '{"payment_uuid": |}',
    '{"payment_uuid":1|}',
    '{"a":[|]}',
    '{"a":|}',
    '[|]',
    'x|',
  ])('is nothing for %j', (marked) => {
    expect(complete(marked, 'status')).toEqual([]);
    expect(complete(marked, 'balances')).toEqual([]);
  });

  it.each(['constructor', '__proto__', 'person'])(
    'is every document there is where the type is %s',
    (type) => {
      const offered = complete(`{"originator":{"originator_type":"${type}","id_type":"|"}}`, 'remittance');
      expect(offered).toHaveLength(8);
    },
  );

  it('is each value once, those that were used before in front, and none behind a whole text', () => {
    const offered = complete('{"transaction":{"currency":"|UGX"}}').map((one) => one.replace(/ \{.*/, ''));
    expect(offered.slice(0, 4)).toEqual([
      'UGX (Uganda shilling · used before)',
      'KES (Kenyan shilling · used before)',
      'none (used before)',
      'AED (UAE dirham)',
    ]);
    expect(new Set(offered).size).toBe(offered.length);
    expect(complete('{"transaction":{"currency":"KES"|}}')).toEqual([]);
    expect(complete('{"transaction":{"amount":|}}')).toEqual([]);
  });
});

describe('what was used before', () => {
  const used = {
    'transaction.amount': ['1500', '{{amount}}'],
    'transaction.description': ['Rent "May"', 'rent'],
  };
  const offer = (marked: string): string[] => {
    const [text, offset] = split(marked);
    return completeBody('payout', text, offset, { ...sources, sample: () => null, used }).map((one) =>
      applyEdit(text, one),
    );
  };

  it('is written as its field is: an amount without quotes, a text between them', () => {
    expect(offer('{"transaction":{"amount": |}}')).toEqual([
      '{"transaction":{"amount": 1500}}',
      '{"transaction":{"amount": {{amount}}}}',
    ]);
    expect(offer('{"transaction":{"description":"Re|"}}')).toEqual([
      '{"transaction":{"description":"Rent \\"May\\""}}',
      '{"transaction":{"description":"rent"}}',
    ]);
  });

  it('is not offered behind a text that is whole', () => {
    expect(offer('{"transaction":{"description":"Rent "|}}')).toEqual([]);
    expect(offer('{"transaction":{"description":"Rent |')).not.toEqual([]);
  });

  it('is all there is of a field that has no sample', () => {
    expect(offer('{"transaction":{"service_code":|}}')).toEqual([]);
    expect(offer('{"transaction":{"reference":|}}')).toHaveLength(2);
  });
});

describe('of many choices', () => {
  it('those that begin with what is typed stand in front of those of which a word does', () => {
    const choices = [
      { text: 'A1', detail: 'the kes of old' },
      { text: 'ALIKE', detail: 'with an end like it' },
      { text: 'Kept', detail: '' },
      { text: 'x KEEN', detail: '' },
      { text: 'KES', detail: 'Kenyan shilling' },
    ];
    const rank = (typed: string) => rankChoices(choices, typed).map(({ text }) => text);
    expect(rank('ke')).toEqual(['Kept', 'KES', 'A1', 'x KEEN']);
    expect(rank('KE')).toEqual(rank('ke'));
    expect(rank('')).toEqual(choices.map(({ text }) => text));
    expect(rank('z')).toEqual([]);
  });

  it('600 are offered, and 60 variables', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `v${at}`, text: `v${at}`, detail: '' }));
    expect(rankChoices(many(600), 'v')).toHaveLength(600);
    expect(rankChoices(many(601), 'v')).toHaveLength(600);
    expect(completeVariable('{{v', 3, many(60))).toHaveLength(60);
    expect(completeVariable('{{v', 3, many(61))).toHaveLength(60);
  });
});

describe('a variable', () => {
  const named = sources.variables;

  it('is offered where its braces are open, and not behind those that are closed', () => {
    expect(completeVariable('{{base_url}}/pay', 16, named)).toBeNull();
    expect(completeVariable('{{base_url}}', 12, named)).toBeNull();
    expect(completeVariable('{{base url', 10, named)).toBeNull();
    expect(completeVariable('{{base_', 7, named)).toHaveLength(1);
  });

  it.each<[text: string, result: string]>([
    ['{{am|/{{base_url}}', '{{amount}}/{{base_url}}'],
    [`{{am|${' '.repeat(500)}end`, `{{amount}}${' '.repeat(500)}end`],
    ['{{am|ou  }}/x', '{{amount}}/x'],
  ])('takes the place of what is written of it in %j', (marked, result) => {
    const [text, offset] = split(marked);
    expect(completeVariable(text, offset, named)!.map((one) => applyEdit(text, one))).toEqual([result]);
  });
});

it('reads bodies of up to 1 MiB, and offers variables in longer ones, too', () => {
  const long = (start: string, length: number) => start.padEnd(length, ' ');
  const most = 1024 * 1024;
  expect(completeBody('status', long('{', most), 1, sources)).toHaveLength(3);
  expect(completeBody('status', long('{', most + 1), 1, sources)).toEqual([]);
  expect(completeBody('status', long('{"x":"{{am', most + 1), 10, sources)).toHaveLength(1);
  expect(describeBody('status', long('{"payment_uuid":"1"}', most), 5)).not.toBeNull();
  expect(describeBody('status', long('{"payment_uuid":"1"}', most + 1), 5)).toBeNull();
});

describe('what is said of a place', () => {
  const tell = (marked: string, operation: string) => {
    const [text, offset] = split(marked);
    const found = describeBody(operation, text, offset);
    return found && [text.slice(found.start, found.end), ...found.lines];
  };
  const currency = [
    'transaction.currency: ISO 4217 code.',
    'Required text.',
    'It must be an ISO 4217 code in capitals, such as KES.',
  ];
  const amount = [
    'transaction.amount: Whole major currency units, above zero.',
    'Required whole number, part of the string to sign.',
  ];

  it.each<[marked: string, operation: string, told: string[] | null]>([
    ['{"transaction":{"am|ount":5}}', 'payout', ['"amount"', ...amount]],
    ['{"transaction":{"amount":|5}}', 'payout', ['5', ...amount]],
    ['{"transaction":{"currency":"K|ES"}}', 'payout', ['"KES"', ...currency, 'KES: Kenyan shilling.']],
    ['{"transaction":{"currency":"X|XX"}}', 'payout', ['"XXX"', ...currency]],
    ['{"transaction":{"currency": |}}', 'payout', ['"currency"', ...currency]],
    ['{"trans|action":{}}', 'payout', ['"transaction"', 'transaction: What is paid.', 'Required object.']],
    [
      '{"transaction":{"description":"x|"}}',
      'payout',
      ['"x"', 'transaction.description: Short narrative.', 'Required text.'],
    ],
    [
      '{"originator":{"id_type":|""}}',
      'remittance',
      [
        '""',
        'originator.id_type: Kind of identity document, by the type of the originator.',
        'Optional text.',
        'Where originator_type is Individual: DRIVING-LICENSE, PASSPORT, NATIONAL-ID, ALIEN-ID, MILITARY-ID.',
        'Where originator_type is Corporate: CERTIFICATE-OF-INCORPORATION, REGISTRATION-NUMBER, CR12.',
      ],
    ],
    [
      '{"originator":{"originator_type":"|"}}',
      'remittance',
      [
        '""',
        'originator.originator_type: A person or a company.',
        'Optional text.',
        'One of Individual, Corporate.',
      ],
    ],
    ['{"amount":1|}', 'send_test', ['1', 'amount: Amount that the webhook carries.', 'Optional number.']],
    [
      '{"originator":{"country":K|E}}',
      'payout',
      [
        'KE',
        'originator.country: ISO 3166-1 code; part of the signed string.',
        'Required text, part of the string to sign.',
        'It must be an ISO 3166-1 code of two or three capital letters, such as KE or KEN.',
      ],
    ],
    [
      '{|"amount":1}',
      'send_test',
      ['"amount"', 'amount: Amount that the webhook carries.', 'Optional number.'],
    ],
    [
      '{"amount" |: 1}',
      'send_test',
      ['"amount"', 'amount: Amount that the webhook carries.', 'Optional number.'],
    ],
    [
      '{"transaction":{"description":"K|ES"}}',
      'payout',
      ['"KES"', 'transaction.description: Short narrative.', 'Required text.'],
    ],
    [
      '{"recipient":{"country":"X|X"}}',
      'remittance',
      [
        '"XX"',
        'recipient.country: ISO-2 or ISO-3 code.',
        'Required text.',
        'It must be an ISO 3166-1 code of two or three capital letters, such as KE or KEN.',
      ],
    ],
    ['{"transaction":{"currency":["K|ES"]}}', 'payout', null],
    ['{"o|ther":1}', 'payout', null],
    ['{|}', 'payout', null],
    ['{"a":1|}', 'balances', null],
  ])('%j of %s', (marked, operation, told) => {
    expect(tell(marked, operation)).toEqual(told);
  });
});
