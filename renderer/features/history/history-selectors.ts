import type { ExchangeSummary, HistoryOutcome } from '@shared/contract/sending';
import type { ReadRows } from '../../session/join-older';
import type { Tone } from '../../ui/tag';

/** How far back the list goes. */
export type TimeSpan = 'any' | 'hour' | 'day' | 'week' | 'month';

const hourMs = 60 * 60_000;
const spansMs: Readonly<Record<Exclude<TimeSpan, 'any'>, number>> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
};

export const timeSpans: readonly { id: TimeSpan; label: string }[] = [
  { id: 'any', label: 'Any time' },
  { id: 'hour', label: 'Last hour' },
  { id: 'day', label: 'Last 24 hours' },
  { id: 'week', label: 'Last 7 days' },
  { id: 'month', label: 'Last 30 days' },
];

export const outcomes: readonly { id: HistoryOutcome; label: string }[] = [
  { id: 'any', label: 'Any outcome' },
  { id: 'good', label: 'Accepted' },
  { id: 'refused', label: 'Refused' },
  { id: 'failed', label: 'Failed or not understood' },
  { id: 'no_answer', label: 'No answer' },
];

/** Gives the moment from which on the list is asked for. */
export function toInstants(time: TimeSpan, now: number): { from?: number } {
  return time === 'any' ? {} : { from: now - spansMs[time] };
}

/**
 * Puts the newest page into a list that is longer: what came stands on top, what went is gone.
 *
 * Where so much came that the rows no longer follow on, they go: they are read again when they come into view.
 */
export function mergeTop(
  known: ReadRows<ExchangeSummary, string>,
  page: ReadRows<ExchangeSummary, string>,
): ReadRows<ExchangeSummary, string> {
  const { nextBefore } = page;
  if (nextBefore === null) return page;
  const below = known.rows.filter(({ id }) => id < nextBefore);
  const doesMeet = below.length < known.rows.length;
  if (!doesMeet || below.length === 0) return page;
  return { rows: [...page.rows, ...below], nextBefore: known.nextBefore };
}

/** What a row says of how it ended. */
export function tagOf({
  httpStatus,
  outcome,
  summary,
}: Pick<ExchangeSummary, 'httpStatus' | 'outcome' | 'summary'>): {
  text: string;
  tone: Tone;
} {
  if (httpStatus === null) {
    return summary === 'No answer yet'
      ? { text: 'under way', tone: 'warn' }
      : { text: 'no answer', tone: summary === 'No answer is known' ? 'warn' : 'bad' };
  }
  const tone: Tone =
    outcome === 'accepted' || outcome === 'ok'
      ? 'good'
      : httpStatus < 400 && outcome === null
        ? 'quiet'
        : 'bad';
  return { text: String(httpStatus), tone: outcome === 'duplicate' ? 'warn' : tone };
}

/** An address as a row shows it: without what most have in common, and all else as it was kept. */
export const shortenUrl = (url: string): string => url.replace(/^https?:\/\//i, '');
