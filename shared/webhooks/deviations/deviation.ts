import { joinWords } from '../../doctor/report/report';
import type { DeviationPart } from './deviation-parts';

/** What a sender of webhooks did otherwise than Standard Webhooks says; its words join those of others. */
export interface WebhookDeviation {
  readonly part: DeviationPart;
  /** Goes on after 'Signed …'. */
  readonly phrase: string;
  /** What to do, an imperative without a full stop. */
  readonly remedy: string;
}

/** A form of something, and what is wrong with it; null: nothing. */
export interface Form<Value> {
  readonly value: Value;
  readonly deviation: WebhookDeviation | null;
  /** Met often: tried together with others. */
  readonly isCommon: boolean;
}

/** Says what was done and what to do, in one sentence. @param deviations - one at least */
export function describeDeviations(deviations: readonly WebhookDeviation[]): string {
  const remedies = [...new Set(deviations.map(({ remedy }) => remedy))];
  return `Signed ${joinWords(deviations.map(({ phrase }) => phrase))}: ${joinWords(remedies)}.`;
}
