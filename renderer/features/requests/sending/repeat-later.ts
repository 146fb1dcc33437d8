import { planWaitMs, readRetryAfterMs } from '@shared/payments/retry-after';
import { create } from 'zustand';
import { findTab } from '../requests-store';
import { noteRetry } from './retry-safely';
import { sendAgain } from './sending-actions';

const mostAttempts = 5;
const whyGivenUp = `It was sent again ${mostAttempts} times and refused each time: nothing more is sent by itself. Wait a few minutes, or send fewer requests at once, then choose “Again when it may”.`;

export interface Repeat {
  /** When it goes out, by `performance.now()`: the clock may be put right meanwhile. */
  at: number;
  /** How often it has been sent. */
  attempt: number;
}

/** Requests that wait for the time that the service asked for, by tab. */
export const useRepeatStore = create<{ waiting: Readonly<Record<string, Repeat>> }>(() => ({ waiting: {} }));

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** How long the service asks a tab to wait; null: it does not say. */
export function readWaitMs(tabId: string): number | null {
  const exchange = findTab(tabId)?.exchange;
  return exchange?.response
    ? readRetryAfterMs(exchange.response.headers, exchange.sentAt + (exchange.timings?.totalMs ?? 0))
    : null;
}

/**
 * Waits as long as the service asks (with a little chance, so that not all come back at once), then sends the same
 * request again; up to five times.
 */
export function repeatLater(tabId: string, attempt = 1): void {
  const exchange = findTab(tabId)?.exchange;
  if (exchange?.reading?.outcome !== 'rate_limited') return;
  if (attempt > mostAttempts) return noteRetry(exchange.id, whyGivenUp);
  const waitMs = planWaitMs(readWaitMs(tabId), attempt, Math.random());
  if (waitMs === null) return;
  stopRepeating(tabId);
  setWaiting(tabId, { at: performance.now() + waitMs, attempt });
  timers.set(
    tabId,
    setTimeout(() => {
      stopRepeating(tabId);
      if (findTab(tabId)?.exchange?.id !== exchange.id) return;
      void sendAgain(tabId).then(() => {
        // Where it was asked about production, it goes out by the answer alone.
        if (findTab(tabId)?.exchange?.id !== exchange.id) repeatLater(tabId, attempt + 1);
      });
    }, waitMs),
  );
}

/** Sends nothing later. */
export function stopRepeating(tabId: string): void {
  clearTimeout(timers.get(tabId));
  timers.delete(tabId);
  setWaiting(tabId, null);
}

function setWaiting(tabId: string, repeat: Repeat | null): void {
  useRepeatStore.setState(({ waiting }) => {
    const { [tabId]: _gone, ...rest } = waiting;
    return { waiting: repeat === null ? rest : { ...rest, [tabId]: repeat } };
  });
}
