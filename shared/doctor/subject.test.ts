import { expect, it } from 'vitest';
import { readSubject } from './subject';

const read = (more: object) =>
  readSubject(
    JSON.stringify({
      transaction: { reference: 'R"1', amount: 10, service_code: 'X' },
      originator: { country: 'KE' },
      ...more,
    }),
  );
const extrasOf = (more: object): unknown[][] =>
  read(more)
    .values.slice(4)
    .map(({ path, text, isString }) => [path, text, isString]);

it('has the four values in their order, as text and as written', () => {
  const { expected, values } = read({});
  expect(expected).toBe('R"110KEX');
  expect(values).toEqual([
    { path: 'transaction.reference', text: 'R"1', raw: String.raw`R\"1`, isString: true },
    { path: 'transaction.amount', text: '10', raw: '10', isString: false },
    { path: 'originator.country', text: 'KE', raw: 'KE', isString: true },
    { path: 'transaction.service_code', text: 'X', raw: 'X', isString: true },
  ]);
});

it('has every other value that may have been signed by mistake, once', () => {
  const meta = {
    a: [1.5, { b: true }],
    empty: '',
    again: 'two',
    long: 'x'.repeat(300),
    longer: 'x'.repeat(301),
  };
  expect(extrasOf({ note: 'two', meta, none: null })).toEqual([
    ['note', 'two', true],
    ['meta.a[0]', '1.5', false],
    ['meta.a[1].b', 'true', false],
    ['meta.long', 'x'.repeat(300), true],
    ['none', 'null', false],
  ]);
});

it('has so many of them that a search ends', () => {
  const list = Array.from({ length: 100 }, (_, at) => `v${at}`);
  expect(extrasOf({ list }).map(([path]) => path)).toEqual(list.slice(0, 60).map((_, at) => `list[${at}]`));
});
