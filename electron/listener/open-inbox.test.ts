import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { openInbox } from './open-inbox';
import type { PendingWebhook } from './webhook-server';

/** A webhook that notes what it was answered with. */
function makePending(answers: number[]): PendingWebhook {
  return {
    head: Buffer.from('POST /webhooks HTTP/1.1\r\n\r\n'),
    body: Buffer.from(`{"pad":"${'x'.repeat(3000)}"}`),
    receivedAt: Date.now(),
    respondedStatus: 200,
    remoteAddress: '127.0.0.1',
    rule: null,
    fullBytes: null,
    startedAtMs: performance.now(),
    delayMs: 0,
    keep: () => void answers.push(200),
    refuse: (status: number) => void answers.push(status),
  } as unknown as PendingWebhook;
}

it('refuses webhooks where its log was cut short, though the index would have grown it again', () => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const inbox = openInbox({ file });
  const answers: number[] = [];
  for (let left = 5; left > 0; left--) inbox.accept([makePending(answers)]);
  truncateSync(`${file}-wal`, 9000);
  for (let turn = 0; turn < 20; turn++)
    expect(() => inbox.markRead([1], turn % 2 === 0)).toThrow('lost the end');
  inbox.accept([makePending(answers)]);
  expect(answers).toEqual([200, 200, 200, 200, 200, 503]);
  inbox.close();
});
