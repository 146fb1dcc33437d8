import { coalesce } from '../platform/coalesce';
import type { NotTaken } from './webhook-server';

/** At most so often it is told. */
const GATHER_MS = 1000;

/** By the id of an address. */
export type NotTakenCounts = Record<string, { readonly count: number; readonly latest: NotTaken }>;

/** Gathers what is not taken: whoever floods an address is told of as often as one who errs. */
export function gatherNotTaken(
  send: (counts: NotTakenCounts) => void,
): (id: string, request: NotTaken) => void {
  let counts: NotTakenCounts = {};
  const notice = coalesce(
    () => {
      const told = counts;
      counts = {};
      send(told);
    },
    { everyMs: GATHER_MS },
  );
  return (id, latest) => {
    counts[id] = { count: (counts[id]?.count ?? 0) + 1, latest };
    notice.ask();
  };
}
