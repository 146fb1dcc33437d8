import { isProduct } from '@shared/payments/tables/products';
import type { JourneySummary } from '@shared/contract/journey';
import { formatMoney } from '@shared/payments/format-amount';
import { formatDuration, formatExact } from '../../ui/format-time';
import type { Tone } from '../../ui/tag';

type Step = JourneySummary['track']['signed'];

/** The newest page above the rows that it does not hold. */
export function mergeJourneys(
  rows: readonly JourneySummary[],
  newest: readonly JourneySummary[],
): JourneySummary[] {
  const fresh = new Set(newest.map((row) => row.reference));
  return [...newest, ...rows.filter((row) => !fresh.has(row.reference))];
}

const operationNames: Record<string, string> = {
  remittance: 'Remittance',
  payout: 'Payout',
  collection: 'Collection',
  status: 'Status query',
};

/** 'Remittance KES 1,500.00', as far as it is known. */
export function titleOf(journey: JourneySummary): string {
  const name = operationNames[journey.operation] ?? 'Payment';
  return [name, formatMoney(journey.currency, journey.amount)].filter(Boolean).join(' ');
}

/** The mark of a payment: its state where known, else how far it came. */
export function tagOf(journey: JourneySummary): { text: string; tone: Tone } {
  const tones: Record<string, Tone> = {
    succeeded: 'good',
    failed: 'bad',
    canceled: 'quiet',
    processing: 'warn',
  };
  if (journey.state) return { text: journey.state, tone: tones[journey.state] ?? 'quiet' };
  if (journey.track.accepted === 'failed') return { text: 'refused', tone: 'bad' };
  if (journey.track.accepted === 'unknown') return { text: 'outcome unknown', tone: 'warn' };
  if (journey.track.accepted === 'done') return { text: 'accepted', tone: 'warn' };
  if (journey.track.accepted === 'none' && isProduct(journey.operation))
    return { text: 'not sent', tone: 'quiet' };
  return { text: 'no answer', tone: 'quiet' };
}

const stepWords: Record<Step, string> = {
  done: 'done',
  waiting: 'waiting',
  failed: 'failed',
  unknown: 'outcome unknown',
  none: 'not reached',
};
const stepNames = ['signed', 'accepted', 'webhook', 'final'] as const;

/** The four steps in order, with the words that a screen reader says for them. */
export function readTrack(track: JourneySummary['track']): { name: string; step: Step; label: string }[] {
  return stepNames.map((name) => ({ name, step: track[name], label: `${name}: ${stepWords[track[name]]}` }));
}

/** How long a payment took: until its final state was known, or until its last sign of life. */
export function describeTook({ startedAt, finalAt, lastAt }: JourneySummary): {
  label: string;
  text: string;
  title: string;
} {
  const endAt = finalAt ?? lastAt;
  return {
    label: finalAt === null ? 'Took so far' : 'Took',
    text: formatDuration(Math.max(0, endAt - startedAt)),
    title: `${formatExact(startedAt)} to ${formatExact(endAt)}`,
  };
}

/** Time of an event: the clock for the first, the distance from the first for the others. */
export function describeOffset(at: number, startedAt: number): string {
  return `+${formatDuration(Math.max(0, at - startedAt))}`;
}
