import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import type { HttpClient } from '../../platform/ports';
import { parseOrNothing } from '@shared/json/parse-or-nothing';

/** A state counts once it has been the same for so long; one that never rests counts as it is after the longest wait. */
const usualPatience = { quietMs: 500, longestMs: 5000 };
const PAUSE_MS = 50;
/** An effect may come in steps: so many times the usual rest is waited for another. */
const LEARNING_RESTS = 4;
const MOST_BYTES = 16 * 1024 * 1024;
/** What is compared is compared level by level. */
const MOST_LEVELS = 200;

/** Reads what a receiver says of its own state: any JSON. */
export class ReceiverState {
  constructor(
    private readonly url: string,
    private readonly http: HttpClient,
    private readonly timeoutMs: number,
    private patience = usualPatience,
  ) {}

  /**
   * Reads it once.
   *
   * @throws {AppError} `sending.*` where it cannot be reached; `receiver.bad_state` where its answer is no JSON
   */
  async read(): Promise<unknown> {
    const call = {
      method: 'GET',
      url: this.url,
      headers: [['Accept', 'application/json']],
      body: null,
      timeoutMs: this.timeoutMs,
      aftermath: 'state',
      maxResponseBytes: MOST_BYTES,
    } as const;
    const fault = (what: string): AppError =>
      new AppError(
        'receiver.bad_state',
        `The state address ${what}. It has to answer GET with 200 and any JSON: a count, or a list of what was done.`,
      );
    const { httpStatus, body, isCut } = await this.http(call).catch((error: unknown) =>
      Promise.reject(
        isClosed(error) ? fault('closed the connection without a whole answer') : (error as Error),
      ),
    );
    if (httpStatus !== 200) throw fault(`answered HTTP ${httpStatus}`);
    if (isCut) throw fault('answered with more than 16 MiB');
    const state = parseOrNothing(Buffer.from(body).toString('utf8'));
    if (state === undefined) throw fault('answered with something that is no JSON');
    if (isDeeperThan(state, MOST_LEVELS))
      throw fault(`answered with JSON nested deeper than ${MOST_LEVELS} levels`);
    return state;
  }

  /**
   * Sees how long a webhook's effect takes, and gives each reading from now on twice as long to rest: a handler may answer first
   * and work afterwards.
   *
   * @param before - as it was before the webhook
   */
  async learnPace(before: unknown, signal?: AbortSignal): Promise<void> {
    const { quietMs, longestMs } = this.patience;
    const startedAt = performance.now();
    let state = before;
    let changedAt: number | null = null;
    for (;;) {
      const next = await this.read();
      const now = performance.now();
      if (!isDeepStrictEqual(next, state)) changedAt = now;
      state = next;
      if (changedAt !== null && now - changedAt > LEARNING_RESTS * quietMs) break;
      if (now - startedAt > longestMs || signal?.aborted === true) return;
      await wait(PAUSE_MS);
    }
    const slowMs = 2 * (changedAt - startedAt);
    if (slowMs > quietMs) this.patience = { quietMs: slowMs, longestMs: longestMs + slowMs };
  }

  /** Whether it never rested when it was last read. */
  isRestless = false;

  /** Reads it until it has not changed for half a second, at most five. */
  async readSettled(): Promise<unknown> {
    const { quietMs, longestMs } = this.patience;
    const startedAt = performance.now();
    let state = await this.read();
    this.isRestless = false;
    for (let sameSince = startedAt; performance.now() - sameSince < quietMs;) {
      this.isRestless = performance.now() - startedAt > longestMs;
      if (this.isRestless) break;
      await wait(PAUSE_MS);
      const next = await this.read();
      if (!isDeepStrictEqual(next, state)) sameSince = performance.now();
      state = next;
    }
    return state;
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof AppError && error.code === 'sending.closed';
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1));
}
