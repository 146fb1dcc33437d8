import { expect, it } from 'vitest';
import { scanJson } from '../json/json-scanner';
import { JSON_NUMBER, JSON_STRING } from '../json/json-sink';
import { findSignedFields, SIGNED_FIELDS, SignedFieldFinder } from './signed-fields';

/** What was found, by field: the value, or nothing. */
function find(body: string): Record<string, string> {
  const finder = findSignedFields(body);
  const isFound = (index: number): boolean => [JSON_STRING, JSON_NUMBER].includes(finder.kinds[index]!);
  return Object.fromEntries(
    SIGNED_FIELDS.flatMap(({ field }, index) => (isFound(index) ? [[field, finder.valueOf(index)]] : [])),
  );
}

it.each([
  ['a name that is longer', '{"transaction":{"references":"x","amounts":1,"service_code2":"x"}}'],
  ['a name that is shorter', '{"transaction":{"referenc":"x","amoun":1,"service_cod":"x"}}'],
  [
    'a name of the same length',
    '{"transaction":{"xeference":"x","amounx":1,"service-code":"x","ref rence":1}}',
  ],
  ['another name', '{"transaction":{"id":"x"},"originator":{"name":"x"}}'],
  ['other parents', '{"transactiox":{"reference":"x"},"xriginator":{"country":"KE"}}'],
  ['the parents of each other', '{"transaction":{"country":"KE"},"originator":{"reference":"x","amount":1}}'],
  ['the top', '{"reference":"x","amount":1,"country":"KE","service_code":"x"}'],
  ['a parent that is a list', '{"transaction":["reference",{"reference":"x"}]}'],
  ['a parent that is a text', '{"transaction":"x","other":{"reference":"x"}}'],
  ['a parent below another', '{"a":{"transaction":{"reference":"x"}}}'],
  ['a list of objects', '[{"transaction":{"reference":"x"}},{"originator":{"country":"KE"}}]'],
  ['a list of parents', '[{"reference":"x"}]'],
  ['what lies deeper', '{"transaction":{"deep":{"reference":"x","amount":1},"list":[{"service_code":"x"}]}}'],
  ['what follows a parent', '{"transaction":{},"meta":{"reference":"x","amount":1,"service_code":"x"}}'],
  ['what follows a parent without object', '{"transaction":1,"meta":{"reference":"x"}}'],
])('finds nothing in %s', (_name, body) => {
  expect(find(body)).toEqual({});
});

it('finds the values beside what is nested, before and after it', () => {
  const body =
    '{"x":{"y":[1]},"transaction":{"a":{"reference":"no"},"reference":"R","b":[{"amount":9}],"amount":1.50,"c":1},' +
    '"originator":{"z":{},"country":"KE"}}';
  expect(find(body)).toEqual({ reference: 'R', amount: '1.50', country: 'KE' });
});

it('keeps where an object stands in place of a value, so that it can be shown', () => {
  const body = '{"transaction":{"reference":{"a":1},"amount":[2]}}';
  const finder = findSignedFields(body);
  const [reference, amount] = [0, 1].map((index) => body.slice(finder.starts[index], finder.ends[index]));
  expect([reference, amount]).toEqual(['{', '[']);
  expect(finder.escapes).toEqual([false, false, false, false]);
});

it('counts how often each key stood there, and forgets what a repeated parent replaces', () => {
  const body =
    '{"transaction":{"reference":"A","reference":"B","amount":1,"x":1,"x":2},"originator":{"country":"KE"},' +
    '"originator":{"name":"x"},"transaction":{"amount":2}}';
  const finder = findSignedFields(body);
  expect(finder.parentCounts).toEqual([2, 2]);
  expect(finder.counts).toEqual([0, 1, 0, 0]);
  expect(find(body)).toEqual({ amount: '2' });
  const repeated = [];
  for (let at = 0; at < finder.repeats.length; at += 2) {
    repeated.push(body.slice(finder.repeats[at], finder.repeats[at + 1]));
  }
  expect(repeated).toEqual(['reference', 'originator', 'transaction']);
});

it('tells a scanner of any depth the same', () => {
  const body =
    '{"transaction":{"a":{"reference":"no","b":{"amount":3}},"reference":"R"},"b":{"reference":"no"}}';
  const finder = Object.assign(new SignedFieldFinder(body), { levels: 9 });
  scanJson(body, finder);
  expect([finder.valueOf(0), finder.counts]).toEqual(['R', [1, 0, 0, 0]]);
});
