import type { Exchange, ExchangeSummary, HistoryOutcome } from '@shared/contract/sending';
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
 * @param nextBefore - null: the page is all that there is
 */
export function mergeTop(
  rows: readonly ExchangeSummary[],
  page: readonly ExchangeSummary[],
  nextBefore: string | null,
): ExchangeSummary[] {
  const last = page.at(-1);
  if (nextBefore === null || last === undefined) return [...page];
  return [...page, ...rows.filter(({ id }) => id < last.id)];
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
      : { text: 'no answer', tone: 'bad' };
  }
  const tone: Tone =
    outcome === 'accepted' || outcome === 'ok'
      ? 'good'
      : httpStatus < 400 && outcome === null
        ? 'quiet'
        : 'bad';
  return { text: String(httpStatus), tone: outcome === 'duplicate' ? 'warn' : tone };
}

/** An address as a row shows it: without what most have in common. */
export function shortenUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname}${search}`;
}

/** The bytes of a body, for comparing; null: there is none. */
export interface ComparedBodies {
  sent: string | null;
  received: string | null;
}

export function bodiesOf({ request, response }: Exchange): ComparedBodies {
  return { sent: request.body, received: response?.bodyBase64 ?? response?.body ?? null };
}

/** Says whether two texts have the same bytes, and else from which on they differ. */
export function compareBytes(left: string | null, right: string | null): string {
  if (left === right) return left === null ? 'Neither has a body' : 'The bytes are the same';
  if (left === null || right === null) return `Only the ${left === null ? 'second' : 'first'} has a body`;
  const encoder = new TextEncoder();
  const [before, after] = [encoder.encode(left), encoder.encode(right)];
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return `The bytes differ from byte ${at + 1} on (${before.length} and ${after.length} bytes)`;
}
