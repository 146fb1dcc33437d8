import { operations } from '@shared/payments/tables/operations';
import { isProduct } from '@shared/payments/tables/products';
import type { Journey, JourneySummary } from '@shared/contract/journey';
import { formatMoney } from '@shared/payments/format-amount';
import { formatDuration, formatExact } from '../../ui/format-time';
import type { Tone } from '../../ui/tag';

type Step = JourneySummary['track']['signed'];

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
  // The state that was said last may not be how it stands: nobody pays again by it.
  if (journey.isDisputed) return { text: 'they disagree', tone: 'bad' };
  if (journey.state) return { text: journey.state, tone: tones[journey.state] ?? 'quiet' };
  if (journey.track.accepted === 'failed') return { text: 'refused', tone: 'bad' };
  if (journey.track.accepted === 'later') return { text: 'try again later', tone: 'warn' };
  if (journey.track.accepted === 'unknown') return { text: 'outcome unknown', tone: 'warn' };
  if (journey.track.accepted === 'done') return { text: 'accepted', tone: 'warn' };
  if (isUnsent(journey)) return { text: 'not sent', tone: 'quiet' };
  if (journey.track.webhook === 'done') return { text: 'state not known', tone: 'quiet' };
  return { text: 'no answer', tone: 'quiet' };
}

function isUnsent({ state, track, operation }: JourneySummary): boolean {
  return state === null && track.accepted === 'none' && isProduct(operation);
}

const stepWords: Record<Step, string> = {
  done: 'done',
  waiting: 'waiting',
  failed: 'failed',
  later: 'turned away for now, nothing was taken',
  unknown: 'outcome unknown',
  none: 'not reached',
};
const stepNames = ['signed', 'accepted', 'webhook', 'final'] as const;

type Tracked = Pick<JourneySummary, 'track' | 'operation'>;
type StepName = (typeof stepNames)[number];

/**
 * The four steps in order, with the words that a screen reader says for them.
 *
 * @returns title: what the step is called where its name stands alone; a payment that was refused was not accepted
 */
export function readTrack(of: Tracked): { name: StepName; title: string; step: Step; label: string }[] {
  return stepNames.map((name) => {
    const step = of.track[name];
    const isRefused = name === 'accepted' && step === 'failed';
    const word = isRefused ? 'refused' : wordOf(name, of);
    return { name, title: isRefused ? word : name, step, label: `${name}: ${word}` };
  });
}

function wordOf(name: StepName, { track, operation }: Tracked, words = stepWords): string {
  const step = track[name];
  if (step !== 'none') return words[step];
  // A collection carries no signature.
  if (name === 'signed' && isProduct(operation) && !operations[operation].isSigned) return 'not needed';
  // A payment that was taken, and whose outcome is known without a webhook, may have had one elsewhere.
  return name === 'webhook' && track.accepted === 'done' ? 'none known here' : words[step];
}

/** What an event is called that a step was reached by, and one that ended it. */
const stepEvents: Readonly<Record<StepName, Partial<Record<Step, string>>>> = {
  signed: { done: 'sent' },
  accepted: { done: 'accepted', failed: 'refused' },
  webhook: { done: 'webhook', failed: 'webhook' },
  final: {},
};

/** The four steps with a word for each: the time when it was reached, after the first of them; else what there is of it. */
export function readSteps({ summary, events }: Journey) {
  return readTrack(summary).map((one) => {
    const by = stepEvents[one.name][one.step];
    const event = events.find(({ kind }) => kind === by);
    const at = one.name === 'final' ? summary.finalAt : (event?.at ?? null);
    const startedAt = one.name === 'signed' ? null : (events[0]?.at ?? summary.startedAt);
    if (at !== null) return { ...one, at, word: describeMoment(at, startedAt) };
    // Of a payment that others sent, only its webhooks are known.
    const isElsewhere = summary.operation === 'other' && (one.name === 'signed' || one.name === 'accepted');
    return {
      ...one,
      at,
      word: isElsewhere && one.step === 'none' ? 'not seen here' : wordOf(one.name, summary, shortWords),
    };
  });
}
const shortWords: Record<Step, string> = { ...stepWords, later: 'turned away' };

/**
 * When what is known last of a payment was known, counted from its start. When it really ended, the service alone knows:
 * a status query that was asked late hears of it late.
 *
 * @returns null for one that was never sent
 */
export function describeKnown(
  journey: JourneySummary,
): { label: string; text: string; title: string } | null {
  if (isUnsent(journey)) return null;
  const { startedAt, finalAt, lastAt, state, track } = journey;
  const endAt = finalAt ?? lastAt;
  return {
    label:
      finalAt !== null
        ? 'outcome known after'
        : track.accepted === 'failed'
          ? 'refused after'
          : track.accepted === 'unknown' && state === null
            ? 'outcome not known after'
            : 'last heard of after',
    text: formatDuration(Math.max(0, endAt - startedAt)),
    title: `${formatExact(startedAt)} to ${formatExact(endAt)}`,
  };
}

/** Time of an event: the clock for the first (null), the distance from the first for the others. */
export function describeMoment(at: number, startedAt: number | null): string {
  if (startedAt === null) return formatExact(at).slice(11);
  return `+${formatDuration(Math.max(0, at - startedAt))}`;
}
