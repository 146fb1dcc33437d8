import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import type { HttpClient } from '../../platform/ports';

/** A state counts once it has been the same for so long; one that never rests counts as it is after the longest wait. */
const usualPatience = { quietMs: 500, longestMs: 5000 };
const PAUSE_MS = 50;
const MOST_BYTES = 16 * 1024 * 1024;

/** Reads what a receiver says of its own state: any JSON. */
export class ReceiverState {
  constructor(
    private readonly url: string,
    private readonly http: HttpClient,
    private readonly timeoutMs: number,
    private readonly patience = usualPatience,
  ) {}

  /**
   * Reads it once.
   *
   * @throws {AppError} `sending.*` where it cannot be reached; `receiver.bad_state` where its answer is no JSON
   */
  async read(): Promise<unknown> {
    const { httpStatus, body, isCut } = await this.http({
      method: 'GET',
      url: this.url,
      headers: [['Accept', 'application/json']],
      body: null,
      timeoutMs: this.timeoutMs,
      maxResponseBytes: MOST_BYTES,
    });
    const fault = (what: string): AppError =>
      new AppError(
        'receiver.bad_state',
        `The state address ${what}. It has to answer GET with 200 and any JSON: a count, or a list of what was done.`,
      );
    if (httpStatus !== 200) throw fault(`answered HTTP ${httpStatus}`);
    if (isCut) throw fault('answered with more than 16 MiB');
    try {
      return JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
    } catch {
      throw fault('answered with something that is no JSON');
    }
  }

  /** Reads it until it has not changed for half a second, at most five. */
  async readSettled(): Promise<unknown> {
    const { quietMs, longestMs } = this.patience;
    const startedAt = performance.now();
    let state = await this.read();
    for (let sameSince = startedAt; performance.now() - sameSince < quietMs;) {
      if (performance.now() - startedAt > longestMs) break;
      await wait(PAUSE_MS);
      const next = await this.read();
      if (!isDeepStrictEqual(next, state)) sameSince = performance.now();
      state = next;
    }
    return state;
  }
}
