import type { FieldError } from '@shared/payments/validate-fields';
import type { Verdict } from '../http/answers';

const MOST_ENTRIES = 1000;
const MOST_BODY_CHARACTERS = 2 * 1024 * 1024;

/** What is kept of a request that was refused for its signature or its body. */
export interface RefusedRequest {
  readonly body: string;
  readonly signature: string | null;
}

/** One request as the list shows it. */
export interface LoggedRequest {
  readonly id: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly httpStatus: number;
  readonly verdict: Verdict;
  readonly reference: string | null;
  readonly durationMs: number;
  readonly reason: string | null;
  readonly fieldErrors: readonly FieldError[];
  refused: RefusedRequest | null;
}

/** The latest requests, in memory and bounded: in number, and in the bodies kept to explain refusals. */
export interface RequestLog {
  add(entry: LoggedRequest): void;
  find(id: string): LoggedRequest | undefined;
  /** Newest first. */
  list(limit: number): LoggedRequest[];
  clear(): void;
}

/** Makes an empty log: 1,000 requests, two million characters of refused bodies; the oldest go first. */
export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  let withBody: LoggedRequest[] = [];
  let bodyCharacters = 0;

  const dropBodies = (): void => {
    while (bodyCharacters > MOST_BODY_CHARACTERS && withBody.length > 1) {
      const oldest = withBody.shift()!;
      bodyCharacters -= oldest.refused?.body.length ?? 0;
      oldest.refused = null;
    }
  };

  return {
    add(entry) {
      entries.push(entry);
      if (entries.length >= 2 * MOST_ENTRIES) {
        const kept = new Set((entries = entries.slice(-MOST_ENTRIES)));
        withBody = withBody.filter((one) => kept.has(one));
        bodyCharacters = withBody.reduce((sum, one) => sum + (one.refused?.body.length ?? 0), 0);
      }
      if (entry.refused === null) return;
      withBody.push(entry);
      bodyCharacters += entry.refused.body.length;
      dropBodies();
    },
    find: (id) => entries.findLast((one) => one.id === id),
    list: (limit) => entries.slice(-Math.min(limit, MOST_ENTRIES)).reverse(),
    clear() {
      entries = [];
      withBody = [];
      bodyCharacters = 0;
    },
  };
}
