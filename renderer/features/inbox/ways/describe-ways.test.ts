import { expect, it } from 'vitest';
import { describeForwarding, describeRefused } from './describe-ways';

const status = {
  isOn: true,
  url: 'http://127.0.0.1:3000',
  filter: '',
  trouble: null,
  backlogCount: 0,
  missedCount: 0,
  nextAttemptAt: null,
  failedId: null,
  refusedCount: 0,
  refusedReason: null,
};

it.each([
  [{}, ''],
  [{ filter: ' status == FAILED ' }, 'where status == FAILED'],
  [{ backlogCount: 1 }, '1 waits'],
  [{ filter: 'unread', backlogCount: 20_000 }, '20,000 wait · where unread'],
  [{ isOn: false, filter: 'unread', backlogCount: 2 }, '2 wait'],
])('says of %j: %s', (change, said) => expect(describeForwarding({ ...status, ...change })).toBe(said));

it.each([
  [{}, ''],
  [
    { refusedCount: 1, refusedReason: 'The backend answered HTTP 422.' },
    '1 is refused and tried again; the others go on. The backend answered HTTP 422.',
  ],
  [{ refusedCount: 2000 }, '2,000 are refused and tried again; the others go on.'],
  [{ refusedCount: 1, isOn: false }, ''],
  [{ refusedCount: 1, trouble: 'Gone.' }, ''],
])('says of what is refused in %j: %s', (change, said) =>
  expect(describeRefused({ ...status, ...change })).toBe(said),
);
