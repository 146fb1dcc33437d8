import { expect, it } from 'vitest';
import { createRequest, type ImportedRequest } from '../imported';
import { noteBraces } from './note-braces';

const of = (given: Partial<ImportedRequest>) =>
  createRequest({ name: '', method: 'POST', url: 'https://a.example', ...given });
const note = (given: Partial<ImportedRequest>, isInFile = false) =>
  noteBraces(of(given), of(given), () => true, isInFile);

it('says nothing of a request without braces', () => {
  expect(note({ headers: [['X-A', '{a} {{}} {{{']], body: { parts: ['{"a":{"b":{}}}'] } })).toEqual([]);
});

it('says of an address what it has, and where a value goes', () => {
  expect(note({ url: 'https://a.example/{{id}}' })).toEqual([
    'Its address has {{id}}, which is sent as it stands there; here it is a variable. Give it a value in Environments.',
  ]);
});

it('counts several of headers, each once, names included', () => {
  const headers: [string, string][] = [
    ['X-A', '{{a}} {{b}}'],
    ['X-{{c}}', '{{a}}'],
  ];
  expect(note({ headers })).toEqual([
    'Its headers have {{a}} and 2 more, which are sent as they stand there; here they are variables. Give them values in Environments.',
  ]);
});

it('says of a body how it is sent as it stands; files between its parts have none', () => {
  expect(note({ body: { parts: ['{{a', { file: './{{b}}' }, '}} {{c}}'] } })).toEqual([
    'Its body has {{a}} and 1 more, which are sent as they stand there; here they are variables. ' +
      'To send it as it stands, put the body into a file beside the request and write `< ./file` in its place.',
  ]);
});

it('says nothing of a body in which no braces are variables', () => {
  expect(note({ body: { parts: ['{{a}}'] } }, true)).toEqual([]);
  expect(note({ body: { parts: ['{{a}}'], isVerbatim: true } })).toEqual([]);
  expect(note({ url: 'https://a.example/{{id}}', body: { parts: ['{{a}}'] } }, true)).toHaveLength(1);
});

it('says nothing of what we put there, and of what is a variable there, too', () => {
  const given = of({ url: 'https://a.example/{{id}}' });
  const written = of({ url: 'https://a.example/{{id}}?key={{api_key}}', headers: [['X-A', '{{id}}']] });
  const told = noteBraces(given, written, () => true, false);
  expect(told).toHaveLength(2);
  expect(told.join()).not.toContain('api_key');
  expect(noteBraces(given, given, (braces) => braces !== '{{id}}', false)).toEqual([]);
});

it.each(['{{$uuid}}', '{{ $randomInt 1 2 }}', '{{token.payout}}', '{{ signature }}', '{{last_reference}}'])(
  'asks for no value of %s, which the app fills in',
  (braces) => {
    expect(note({ url: `https://a.example/${braces}` })).toEqual([
      `Its address has ${braces}, which is sent as it stands there; here it is a variable.`,
    ]);
    expect(note({ url: `https://a.example/${braces}{{id}}` })[0]).toMatch(
      / Give them values in Environments\.$/,
    );
  },
);

it.each([
  '{{signature2}}',
  '{{a.signature}}',
  '{{token}}',
  '{{token.payout.x}}',
  '{{a$b}}',
  '{{signature x}}',
])('asks for a value of %s, which only looks like it', (braces) => {
  expect(note({ url: `https://a.example/${braces}` })[0]).toMatch(/ Give it a value in Environments\.$/);
});

it('tells long braces by their beginning', () => {
  expect(note({ url: `https://a.example/{{${'a'.repeat(40)}}}` })[0]).toContain(
    `has {{${'a'.repeat(40)}}}, which`,
  );
  expect(note({ url: `https://a.example/{{${'a'.repeat(41)}}}` })[0]).toContain(
    `has {{${'a'.repeat(38)}…, which`,
  );
});
