import { parseSortableId } from '../../platform/sortable-id';
import type { Arrivals } from '../arrivals';
import { readLogBody, readLogHead, type LogRow } from '../inbox-log';
import { readForwardedHead } from './forward-head';

/** Goes with each webhook that is forwarded: its id in the inbox. */
export const ID_HEADER = 'Countersign-Webhook-Id';
/** It may have gone round through so many others before it came back; whoever writes more of them made them up. */
const MOST_ROUNDS = 16;

/**
 * Finds the webhook that this one is, forwarded from the same inbox and come back: through the listener's own address, its
 * tunnel, or another program that forwards to it. To forward it again would never end.
 *
 * @returns its id; null: it came from elsewhere
 */
export function findOriginal(row: LogRow, arrivals: Pick<Arrivals, 'get'>): number | null {
  const head = readLogHead(row);
  if (!head.toString('latin1').toLowerCase().includes(ID_HEADER.toLowerCase())) return null;
  const { headers } = readForwardedHead(head);
  const body = readLogBody(row);
  for (const text of listIds(headers)) {
    const id = parseSortableId(text);
    const earlier = id === null || id >= row.id ? null : arrivals.get(id);
    // Another inbox may have given the same id to another webhook.
    if (earlier !== null && readLogBody(earlier).equals(body)) return id;
  }
  return null;
}

/** The ids that forwarding has added, the latest last. */
function listIds(headers: readonly string[]): string[] {
  const isId = (_: string, at: number): boolean => at % 2 === 1 && isIdHeader(headers[at - 1]!);
  return headers
    .filter(isId)
    .flatMap((value) => value.split(',').map((one) => one.trim()))
    .slice(-MOST_ROUNDS);
}

const isIdHeader = (name: string): boolean => name.toLowerCase() === ID_HEADER.toLowerCase();
