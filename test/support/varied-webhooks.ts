import type { ReceivedWebhook } from '../../electron/listener/webhook-writer';

/** Sixty webhooks that differ in everything that a filter may look at, newest first by the time they tell. */
export function makeVariedWebhooks(nowMs: number): ReceivedWebhook[] {
  return Array.from({ length: 60 }, (_, at) => ({
    receivedAt: nowMs - at * 60_000,
    respondedStatus: [200, 500, 204, 0][at % 4]!,
    remoteAddress: '127.0.0.1',
    rule: at % 5 === 0 ? 'slow' : null,
    fullBytes: null,
    head: Buffer.from(
      `${at % 7 === 0 ? 'PUT' : 'POST'} /hooks${at % 3 === 0 ? '' : `?n=${at}`} HTTP/1.1\r\nX-Trace: t${at % 6}`,
    ),
    body: Buffer.from(
      at % 9 === 8
        ? 'no json'
        : `{"status":"${at % 2 === 0 ? 'SUCCESS' : 'FAILED'}","amount":${at}.50,"client_reference":"R-${at % 10}"}`,
    ),
  }));
}

/** Filters over every kind of field, operator and joint; marks are `mine urgent`, `call them`, pinned and read. */
export const listVariedFilters = (nowMs: number): readonly string[] => [
  'all',
  'unread',
  'failed',
  'not failed',
  'status == FAILED',
  'status != FAILED',
  'not (status == FAILED or unread)',
  'path == /hooks',
  'path == /hooks?n=7',
  'path contains n=1',
  'method == PUT and rule == slow',
  'rule != slow',
  'reference == R-3',
  'reference contains R-',
  'http_status == 0',
  'http_status >= 204 and size > 10',
  'size == 7',
  'amount >= 30',
  'amount == 7.5',
  'not amount < 50',
  'body.amount >= 30.50 and status == FAILED',
  'body.amount == 7.5 or reference == R-3',
  'not body.amount >= 30',
  'body.client_reference contains 4',
  'header.x-trace == t4',
  'header.x-trace != t4 and failed',
  'age < 10m',
  `received_at >= ${new Date(nowMs - 300_000).toISOString().slice(0, 19)}Z`,
  'tag == urgent',
  'tag == urgent or note contains call',
  'pinned',
  'verdict == unsigned',
];
