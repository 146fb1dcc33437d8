import { expect, it } from 'vitest';
import { maskKnownSecrets } from './mask-known-secrets';

const SECRET = 'tok3n-of-this-run-0123456789';
/** Half of what is read of an answer: more than a regular expression went back in. */
const long = (unit: string): string => unit.repeat(Math.floor((8 * 1024 * 1024) / unit.length));
const listBytes = (text: string): string => [...text].map((one) => `${one.charCodeAt(0)}, `).join('');
const many = Array.from({ length: 600 }, (_, index) => `s-${index}`);

it.each<[name: string, text: string, secrets: string[], masked: string | RegExp]>([
  ['a value in quotes', `password: "${long('x')}"`, [SECRET], /^password: "x?.{1,10}"$/],
  ['a value in quotes that does not end', `password: "${long('x')}`, [SECRET], /^password: "x?.{1,10}$/],
  ['a user as an argument', `curl -u "a:${long('x')}"`, [SECRET], /^curl -u "a:.{1,10}"$/],
  ['a list of numbers', `[${long('1,')}1]`, [SECRET], `[${long('1,')}1]`],
  [
    'a list of bytes',
    `[${long('1, ')}${listBytes(SECRET)}1]`,
    [SECRET],
    `[${long('1, ')}${maskKnownSecrets(SECRET, [SECRET])}, 1]`,
  ],
  [
    'a text, where hundreds of secrets are known',
    `{"a":"${long('x')}","b":"s-599"}`,
    many,
    `{"a":"${long('x')}","b":"${maskKnownSecrets('s-599', many)}"}`,
  ],
])('masks in %s of 8 MiB', (_name, text, secrets, masked) => {
  const made = maskKnownSecrets(text, secrets);
  // Not `toBe`: of 8 MiB a difference takes a minute to tell.
  expect(typeof masked === 'string' ? made === masked : masked.test(made)).toBe(true);
});
