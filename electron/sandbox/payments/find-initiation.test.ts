import { expect, test } from 'vitest';
import { findInitiation } from './find-initiation';
import { readMemberLiteral } from './member-literal';

test.each([
  ['{"meta": { "a" : 1e3, "b":[1,{"meta":2}] } , "x":{"meta":5}}', '{ "a" : 1e3, "b":[1,{"meta":2}] }'],
  ['{"x":{"meta":5}}', null],
  ['{"m\\u0065ta":{"a":1},"met":2}', '{"a":1}'],
  ['{"meta":1,"\\u006deta":2}', '2'],
  ['{"meta":{},"meta":{"b":"é"}}', '{"b":"é"}'],
  ['{"meta":"te\\"xt","z":1}', '"te\\"xt"'],
  ['{"meta":12345678901234567890}', '12345678901234567890'],
  ['{"transaction":{"reference":"r"},"meta":{"deep":[[[[]]]]}}', '{"deep":[[[[]]]]}'],
  ['{}', null],
])('the literal of meta in %s is %s', (body, literal) => {
  expect(findInitiation(body).metaLiteral()).toBe(literal);
  expect(readMemberLiteral(body, 'meta')).toBe(literal);
});

test('the signed fields are found in the same scan', () => {
  const body =
    '{"meta":{"reference":"no"},"transaction":{"reference":"r","amount":1.0,"service_code":"S"},"originator":{"country":"KE"}}';
  const finder = findInitiation(body);
  expect([0, 1, 2, 3].map((index) => finder.valueOf(index))).toEqual(['r', '1.0', 'KE', 'S']);
});
