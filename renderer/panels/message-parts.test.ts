import { expect, it } from 'vitest';
import { describeBody, describeNothing } from './message-parts';

const message = { headers: [], body: '', bodyBase64: null, sizeBytes: 0, isCut: false };

it.each([
  ['that has no body', {}, 'No body', '0 bytes'],
  ['whose body was not kept', { sizeBytes: 5000, isCut: true }, 'The body was not kept', 'not kept'],
  ['that was not read', { isTooLong: true }, 'Nothing of the body was read', 'not read'],
])('says of a message %s what there is to know', (_what, change, title, facts) => {
  expect(describeNothing({ ...message, ...change })).toBe(title);
  expect(describeBody({ ...message, ...change }, 64 * 1024)).toContain(facts);
});

it('says how much of a long body is there', () => {
  expect(describeBody({ ...message, body: 'x', sizeBytes: 5e6, isCut: true }, 64 * 1024)).toContain(
    'the first',
  );
});
