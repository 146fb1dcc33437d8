import { setImmediate as giveWay } from 'node:timers/promises';
import { createTurns } from '../../platform/create-turns';

const inTurn = createTurns();

/** Computes one call after the other, and leaves what waits its time between them: a hundred at once would hold it up for all of theirs. */
export function computeInTurn<T>(compute: () => T | Promise<T>): Promise<T> {
  return inTurn(async () => {
    await giveWay();
    return compute();
  });
}
