import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../http-file/parse-http-file';
import { writeNewRequest } from '../http-file/new-request';
import type { OperationName } from '../payments/tables/operations';
import { addFormField, readBodyForm, removeFormField, setFormField, type FormRow } from './body-form';
import { casesOf } from '../../test/support/effort';

const EDITS = casesOf(400, 10_000);

const bodyOf = (operation: OperationName): string =>
  parseHttpFile(writeNewRequest({ name: 'New', operation })).requests[0]!.body!;

const layouts: readonly ((body: string) => string)[] = [
  (body) => body,
  (body) => JSON.stringify(JSON.parse(body)),
  (body) => body.replaceAll('\n', '\r\n'),
  (body) => body.replaceAll('  ', '\t').replaceAll('": ', '"   :\n'),
  (body) => body.replace('1000', '1e3').replace('1500', '1500.00').replace('Kenya', '\\u004benya'),
  (body) =>
    body.replace('"KES"', '{{currency}}').replace(/\}\s*$/, ',"meta":{"a":[1,{"b":2}],"n":1.10,"z":{}}}'),
];

const operations: readonly OperationName[] = ['remittance', 'payout', 'collection', 'status', 'send_test'];
const typed = fc.oneof(
  fc.constantFrom(
    '',
    '12',
    '1e5',
    '-',
    '007',
    '"',
    '\\',
    '{{name}}',
    'a {{$datetime "YYYY"}} b',
    '} ,',
    'né😀',
  ),
  fc.string({ maxLength: 12 }),
);

/** Values by path: what a reader of the body sees. */
const look = (operation: string, body: string): Map<string, FormRow> =>
  new Map(readBodyForm(operation, body).rows.map((row) => [row.path.join('\0'), row]));

describe('the form of a body', () => {
  it(
    'changes nothing but the field that was edited, over many random edits',
    () => {
      const start = fc.record({
        operation: fc.constantFrom(...operations),
        layout: fc.constantFrom(...layouts),
        edits: fc.array(fc.tuple(fc.nat(1000), typed), { minLength: 10, maxLength: 10 }),
      });
      fc.assert(
        fc.property(start, ({ operation, layout, edits }) => {
          let body = layout(bodyOf(operation));
          for (const [pick, text] of edits) {
            const rows = readBodyForm(operation, body).rows.filter(
              ({ kind, value }) => kind !== 'group' && value !== null,
            );
            const { path } = rows[pick % rows.length]!;
            const next = setFormField(operation, body, path, text);
            if (next === null) continue;
            expectOnlyChanged(operation, body, next, path);
            body = next;
          }
        }),
        { numRuns: Math.ceil(EDITS / 10) },
      );
    },
    60_000 + EDITS * 20,
  );

  it('adds a field and takes it out again, and the rest is as it was', () => {
    for (const operation of operations) {
      for (const layout of layouts) {
        const body = layout(bodyOf(operation));
        for (const { path, value } of readBodyForm(operation, body).rows) {
          if (value !== null) continue;
          const added = addFormField(operation, body, path, () => null)!;
          expect(readBodyForm(operation, added).fault).toBeNull();
          expect(look(operation, added).get(path.join('\0'))?.value).not.toBeNull();
          expect(removeFormField(added, path)).toBe(body);
        }
      }
    }
  });

  it('takes any field out and leaves JSON', () => {
    for (const layout of layouts) {
      const body = layout(bodyOf('remittance'));
      for (const { path, value } of readBodyForm('remittance', body).rows) {
        if (value === null) continue;
        const less = removeFormField(body, path)!;
        expect(readBodyForm('remittance', less).fault).toBeNull();
        expect(look('remittance', less).get(path.join('\0'))?.value ?? null).toBeNull();
      }
    }
  });

  it('lays out an added field as its neighbours are, in the order of the interface', () => {
    const body = '{\n    "transaction" : {\n        "reference" : "R",\n        "currency" : "KES"\n    }\n}';
    expect(addFormField('payout', body, ['transaction', 'amount'], () => null)).toBe(
      '{\n    "transaction" : {\n        "reference" : "R",\n        "amount": 0,\n        "currency" : "KES"\n    }\n}',
    );
    expect(addFormField('payout', '{"meta":{}}', ['meta', 'a'], () => null)).toBe('{"meta":{"a": ""}}');
    expect(addFormField('payout', '{}', ['transaction', 'currency'], () => null)).toContain('"currency": ""');
  });

  it('writes a number as one and any other text between quotes', () => {
    const body = '{"transaction":{"amount":1000}}';
    const path = ['transaction', 'amount'];
    expect(setFormField('payout', body, path, '1500.00')).toBe('{"transaction":{"amount":1500.00}}');
    expect(setFormField('payout', body, path, '12a')).toBe('{"transaction":{"amount":"12a"}}');
    expect(setFormField('payout', body, path, '{{amount}}')).toBe('{"transaction":{"amount":{{amount}}}}');
  });

  it('lists what the interface names and then what else stands there, the last of a repeated name', () => {
    const body =
      '{"x":"1","payment_uuid":"P","x":"2","request_uuid":7,"meta":{"a":{"b":{"c":1}},"list":[1, 2],"t":"\\u0041"}}';
    const rows = readBodyForm('status', body).rows.map(({ path, rule, kind, value }) => [
      path.join('.'),
      rule === null ? 'other' : 'known',
      kind,
      value,
    ]);
    expect(rows).toEqual([
      ['transaction_reference', 'known', 'text', null],
      ['request_uuid', 'known', 'literal', '7'],
      ['payment_uuid', 'known', 'text', 'P'],
      ['x', 'other', 'text', '2'],
      ['meta', 'other', 'group', ''],
      ['meta.a', 'other', 'group', ''],
      ['meta.a.b', 'other', 'literal', '{"c":1}'],
      ['meta.list', 'other', 'literal', '[1, 2]'],
      ['meta.t', 'other', 'text', 'A'],
    ]);
    const [transaction] = readBodyForm('payout', '{}').rows;
    expect(transaction).toMatchObject({ path: ['transaction'], kind: 'group', value: null });
    expect(readBodyForm('other', '{"a":1}').rows).toEqual([
      { path: ['a'], rule: null, kind: 'literal', value: '1' },
    ]);
  });

  it('takes what is typed for a field by what it is, and refuses what would break the body', () => {
    const set = (path: string[], typedText: string, body: string, operation = 'other') =>
      setFormField(operation, body, path, typedText);
    expect(set(['a'], '[1]', '{"a":2}')).toBe('{"a":[1]}');
    expect(set(['a'], 'x', '{"a":2}')).toBeNull();
    expect(set(['a'], '{{x}}', '{"a":2}')).toBe('{"a":{{x}}}');
    expect(set(['a'], '{{x}},"b":1', '{"a":2}')).toBeNull();
    expect(set(['a'], '[{{x}}]', '{"a":2}')).toBeNull();
    expect(set(['a'], '[1]', '{"a":"2"}')).toBe('{"a":"[1]"}');
    expect(set(['a'], 'A', '{"a":"\\u0041"}')).toBe('{"a":"\\u0041"}');
    expect(set(['b'], '1', '{"a":2}')).toBeNull();
    expect(set(['a', 'b'], '1', '{"a":2}')).toBeNull();
    expect(set(['a', 'b'], '1', '{"a":{"b":"2"}}')).toBe('{"a":{"b":"1"}}');
    // A text of the interface stays text, though a number stands there.
    expect(set(['payment_uuid'], '12', '{"payment_uuid":7}', 'status')).toBe('{"payment_uuid":"12"}');
    expect(set(['amount'], '12', '{"amount":"x"}', 'send_test')).toBe('{"amount":12}');
    const amount = ['transaction', 'amount'];
    for (const number of ['0', '-5', '1.5', '1e3', '1E+30', '2e-12', '{{a}}']) {
      expect(set(amount, number, '{"transaction":{"amount":"x"}}', 'payout')).toBe(
        `{"transaction":{"amount":${number}}}`,
      );
    }
    for (const text of ['01', '1.', '.5', '1e', '{{a}} ', 'x{{a}}']) {
      expect(set(amount, text, '{"transaction":{"amount":1}}', 'payout')).toBe(
        `{"transaction":{"amount":"${text}"}}`,
      );
    }
  });

  it('puts in a field that need not be there, with all that its object has to have', () => {
    const added = addFormField('collection', '{}', ['customer', 'email'], () => null)!;
    expect(JSON.parse(added)).toEqual({ customer: { name: '', email: '' } });
    expect(addFormField('other', '{"a":1}', ['b'], () => null)).toBe('{"a":1,"b":""}');
    expect(addFormField('other', '{"a":{"b":1}}', ['a', 'c'], () => null)).toBe('{"a":{"b":1,"c":""}}');
  });

  it('puts no field in twice, and takes none out that is not there', () => {
    expect(addFormField('status', '{"payment_uuid":"1"}', ['payment_uuid'], () => null)).toBeNull();
    expect(addFormField('status', '[]', ['payment_uuid'], () => null)).toBeNull();
    expect(removeFormField('{"a":1}', ['b'])).toBeNull();
    expect(removeFormField('', ['b'])).toBeNull();
    expect(removeFormField('{"a":1}', ['a', 'b'])).toBeNull();
  });

  it('shows bodies up to what a form can hold', () => {
    const many = (count: number): string =>
      `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
    expect(readBodyForm('other', many(300))).toMatchObject({ fault: null });
    expect(readBodyForm('other', many(301))).toEqual({
      rows: [],
      fault: 'This body has too many fields for a form: edit it as text.',
    });
    expect(readBodyForm('other', `{"a":"${'x'.repeat(256 * 1024 - 8)}"}`).fault).toBeNull();
    expect(readBodyForm('other', `{"a":"${'x'.repeat(256 * 1024 - 7)}"}`).fault).toContain('too long');
    expect(readBodyForm('other', '').fault).toContain('no JSON object');
    expect(readBodyForm('other', '{\n"a": 1,,\n"b": 2\n}')).toEqual({
      rows: [],
      fault: 'The body does not read as JSON (line 2): mend it as text, and the form shows it.',
    });
  });

  it('says why a body has no form', () => {
    expect(readBodyForm('payout', '{"a":\n 1,,}').fault).toContain('line 2');
    expect(readBodyForm('payout', '[]').fault).toContain('no JSON object');
    expect(readBodyForm('payout', `{"a":"${'x'.repeat(300_000)}"}`).fault).toContain('too long');
  });
});

function expectOnlyChanged(operation: string, before: string, after: string, path: readonly string[]): void {
  const key = path.join('\0');
  const changed = look(operation, after);
  expect(readBodyForm(operation, after).fault).toBeNull();
  for (const [at, row] of look(operation, before)) {
    if (at !== key) expect(changed.get(at)).toEqual(row);
  }
  // Every byte in front of the value and behind it is the same, and in the same order.
  const value = JSON.stringify(path.at(-1));
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail += 1;
  const removed = before.slice(head, before.length - tail);
  expect(before.slice(0, head)).toContain(value);
  const row = look(operation, before).get(key)!;
  if (row.kind === 'literal') expect(row.value).toContain(removed);
  // A text that was taken out whole may begin with a colon: `":"` holds no name of another field.
  else expect(removed.replace(/^"(?:[^"\\]|\\.)*"$/, '')).not.toMatch(/(?<!\\)"\s*:|[\r\n]/);
}
