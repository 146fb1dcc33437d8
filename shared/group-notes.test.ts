import { expect, test } from 'vitest';
import { groupNotes } from './group-notes';

test('says once what is so of many, and of how many, in the order of the first of each', () => {
  const notes = [
    { where: 'Document', what: 'Left out.' },
    ...Array.from({ length: 1200 }, (_one, at) => ({ where: `${at}.http`, what: 'Give a token.' })),
    { where: 'pets.http', what: 'Left out.' },
    { where: 'x'.repeat(300), what: 'Has no address.' },
  ];
  expect(groupNotes(notes)).toEqual([
    { where: 'Document, pets.http', what: 'Left out.' },
    { where: '0.http, 1.http, 2.http, 3.http, 4.http and 1,195 more', what: 'Give a token.' },
    { where: 'x'.repeat(300), what: 'Has no address.' },
  ]);
});
