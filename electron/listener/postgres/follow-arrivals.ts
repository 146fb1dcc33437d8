import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { AppError } from '@shared/errors';
import type { ListedWebhook } from '../inbox-reader';
import type { StorePool } from './connect-postgres';
import { PostgresInbox } from './postgres-inbox';
import { ARRIVALS_CHANNEL } from './postgres-schema';
import { toStoreError } from './store-errors';

/** At most ten looks a second, however many notices come. */
const LEAST_BETWEEN_MS = 100;
/** A connection that the network has forgotten says nothing: so often it is asked. */
const HEARTBEAT_MS = 5000;
/** A server that stands still keeps its connections: what it does not answer for so long is lost. */
const ANSWER_MS = 4000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;
const MOST_TOLD = 100;

/** What came since the last look, newest last; `rows` holds the newest hundred of them. */
export interface StoreArrivals {
  readonly rows: readonly ListedWebhook[];
  readonly count: number;
}

export interface Follower {
  stop(): Promise<void>;
}

export interface ArrivalsListener {
  onArrivals(arrivals: StoreArrivals): void;
  /** The connection stands and everything up to now was told. */
  onLive(): void;
  /** It does not, and is being made again; told once a loss, and again where the reason is another. */
  onLost(error: AppError): void;
}

/**
 * Tells what comes into a team's inbox, live, over any number of lost connections.
 *
 * The cursor is what counts: ids follow the order of commits, so that nothing appears below one that was seen. A notice
 * of the server only says that a look is worth while; after a connection was lost, the first look finds what came
 * meanwhile.
 */
export function followArrivals(
  pool: Pick<StorePool, 'connect'>,
  from: number,
  tell: ArrivalsListener,
): Follower {
  let cursor = from;
  let isStopped = false;
  const bell = new Bell();
  const ended = new AbortController();

  const look = async (inbox: PostgresInbox): Promise<void> => {
    bell.isNoticed = false;
    const { rows, count, upTo } = await inbox.readSince(cursor, MOST_TOLD);
    cursor = upTo;
    if (count > 0 && !isStopped) tell.onArrivals({ rows, count });
  };

  const followOnce = async (onLive: () => void): Promise<void> => {
    const client = await connectUntil(pool, ended.signal);
    let failure: Error | null = null;
    const fail = (error?: Error): void => {
      failure ??= error ?? new Error('the connection ended');
      bell.wake();
    };
    const ring = (): void => bell.ring();
    client.on('error', fail);
    client.on('end', fail);
    client.on('notification', ring);
    try {
      await inTime(client.query(`LISTEN ${ARRIVALS_CHANNEL}`), ended.signal);
      const inbox = new PostgresInbox(client);
      const begin = async (): Promise<void> => {
        cursor = Math.min(cursor, await inbox.readNewest());
      };
      // A standby that took over may lack the last ones: what it keeps then has ids from there on.
      await inTime(begin(), ended.signal);
      for (let isFirst = true; !isStopped && failure === null; isFirst = false) {
        await inTime(look(inbox), ended.signal);
        if (isFirst) onLive();
        await bell.rest(LEAST_BETWEEN_MS);
        if (!bell.isNoticed && !isStopped && failure === null) await bell.rest(HEARTBEAT_MS);
      }
      if (failure !== null) throw failure;
    } finally {
      client.off('notification', ring);
      client.release(true);
    }
  };

  const run = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    let told: string | null = null;
    while (!isStopped) {
      try {
        await followOnce(() => {
          [pauseMs, told] = [FIRST_PAUSE_MS, null];
          tell.onLive();
        });
      } catch (error) {
        if (isStopped) return;
        const why = toStoreError(error);
        if (why.message !== told) tell.onLost(why);
        told = why.message;
        await bell.rest(pauseMs);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  };
  const running = run();
  return {
    stop() {
      isStopped = true;
      ended.abort();
      bell.wake();
      return running;
    },
  };
}

/** A pool that is ended forgets whom it owes a connection: an end does not wait for one. */
function connectUntil(pool: Pick<StorePool, 'connect'>, ended: AbortSignal): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('it ended'));
    ended.addEventListener('abort', stop, { once: true });
    const connecting = pool.connect().finally(() => ended.removeEventListener('abort', stop));
    connecting.then((client) => (ended.aborted ? client.release(true) : resolve(client)), reject);
  });
}

/** Waits for an answer, but not for ever, and not beyond the end. */
async function inTime(answer: Promise<unknown>, ended: AbortSignal): Promise<void> {
  const answered = new AbortController();
  const signal = AbortSignal.any([answered.signal, ended]);
  const late = delay(ANSWER_MS, undefined, { signal }).then(() => {
    throw new Error('the server does not answer');
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}

/** What a rest is cut short by: a notice of the server, an end. */
class Bell {
  /** Something came since the last look. */
  isNoticed = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.isNoticed = true;
    this.#wake();
  }

  wake(): void {
    this.#wake();
  }

  rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
