import { expect, it } from 'vitest';
import { describeForwarding } from './describe-ways';

const status = {
  isOn: true,
  url: 'http://127.0.0.1:3000',
  filter: '',
  trouble: null,
  backlogCount: 0,
  missedCount: 0,
  nextAttemptAt: null,
  failedId: null,
};

it.each([
  [{}, ''],
  [{ filter: ' status == FAILED ' }, 'where status == FAILED'],
  [{ backlogCount: 1 }, '1 waits'],
  [{ filter: 'unread', backlogCount: 20_000 }, '20,000 wait · where unread'],
  [{ isOn: false, filter: 'unread', backlogCount: 2 }, '2 wait'],
])('says of %j: %s', (change, said) => expect(describeForwarding({ ...status, ...change })).toBe(said));
