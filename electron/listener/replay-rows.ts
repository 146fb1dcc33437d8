import type { HeaderList } from '@shared/contract/common';
import type { Replay } from '@shared/contract/inbox';

/** So much of an answer is kept. */
export const KEPT_CHARACTERS = 64 * 1024;
/** So many replays of one webhook are kept. */
export const MOST_REPLAYS = 100;

/** What a replay is written to, in the order of {@link toReplayValues}. */
export const REPLAY_COLUMNS =
  '(webhook, sent_at, url, http_status, reason, elapsed_ms, is_edited, is_resigned, headers, body)';
export const REPLAY_PLACES = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

export const toReplayValues = (webhookId: number, replay: Replay): (string | number | null)[] => [
  webhookId,
  replay.sentAt,
  replay.url,
  replay.httpStatus,
  replay.reason,
  replay.elapsedMs,
  Number(replay.isEdited),
  Number(replay.isResigned),
  JSON.stringify(replay.headers),
  replay.body.slice(0, KEPT_CHARACTERS),
];

/** Reads a row of replays. In a team's store somebody else may have written it: headers that are none are left out. */
export function readReplay(row: Readonly<Record<string, unknown>>): Replay {
  return {
    sentAt: Number(row['sent_at']),
    url: String(row['url']),
    httpStatus: row['http_status'] as number | null,
    reason: row['reason'] as string | null,
    elapsedMs: row['elapsed_ms'] as number | null,
    isEdited: Number(row['is_edited']) === 1,
    isResigned: Number(row['is_resigned']) === 1,
    headers: readHeaders(String(row['headers'])),
    body: String(row['body']),
  };
}

function readHeaders(text: string): HeaderList {
  try {
    const read: unknown = JSON.parse(text);
    const isPair = (one: unknown): one is [string, string] =>
      Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string');
    return Array.isArray(read) ? read.filter(isPair) : [];
  } catch {
    return [];
  }
}
