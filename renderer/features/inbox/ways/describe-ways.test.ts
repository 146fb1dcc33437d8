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
    { refusedCount: 1, refusedReason: 'The backend did not answer within 60 s.' },
    '1 was not taken and is tried again; other references go on. The backend did not answer within 60 s.',
  ],
  [{ refusedCount: 2000 }, '2,000 were not taken and are tried again; other references go on.'],
  [{ refusedCount: 1, isOn: false }, ''],
  [{ refusedCount: 1, trouble: 'Gone.' }, ''],
])('says of what is refused in %j: %s', (change, said) =>
  expect(describeRefused({ ...status, ...change })).toBe(said),
);
