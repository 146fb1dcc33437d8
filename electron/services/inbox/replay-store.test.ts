import { expect, it } from 'vitest';
import type { Replay } from '@shared/contract/inbox';
import { inboxMigrations } from '../../listener/inbox-schema';
import { MOST_REPLAYS } from '../../listener/replay-rows';
import { openDatabase } from '../../platform/database/database';
import { keepReplay, listReplays } from './replay-store';

const replayAt = (sentAt: number, httpStatus: number | null): Replay => ({
  sentAt,
  url: 'http://127.0.0.1:9/hooks',
  httpStatus,
  reason: httpStatus === null ? 'No answer is known.' : null,
  elapsedMs: null,
  isEdited: false,
  isResigned: false,
  headers: [],
  body: '',
});

it('keeps the newest hundred of a webhook, each written down before it is sent and once it is answered', () => {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const sent = MOST_REPLAYS + 20;
  for (let sentAt = 1; sentAt <= sent; sentAt += 1) {
    const before = keepReplay(database, 7, replayAt(sentAt, null), null);
    if (sentAt !== sent - 1) keepReplay(database, 7, replayAt(sentAt, 200), before);
  }
  const kept = listReplays(database, 7);
  database.close();
  expect(kept.map(({ sentAt }) => sentAt)).toEqual(
    Array.from({ length: MOST_REPLAYS }, (_, at) => sent - at),
  );
  expect(kept.filter(({ httpStatus }) => httpStatus === null).map(({ sentAt }) => sentAt)).toEqual([
    sent - 1,
  ]);
});
