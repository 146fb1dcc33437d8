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
  else expect(removed).not.toMatch(/(?<!\\)"\s*:|[\r\n]/);
}
