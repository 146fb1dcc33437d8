import { z } from 'zod';
import { LONGEST_SEARCH } from '../longest-search';
import { instant, operation, shownId } from './common';
import { methodsOf } from './define';

/**
 * `unknown`: it was sent, and nobody said whether it was taken; asking its status tells. `later`: it was turned away for now
 * (429) and nothing was taken; it can be sent again as it is.
 */
export const journeyStep = z.enum(['done', 'waiting', 'failed', 'later', 'unknown', 'none']);

/** A payment as it was sent to one place: a reference is one payment only within one service. */
export const journeyPlace = z.object({
  environment: shownId,
  /** What the events call it: the environment, with the address where several were asked by its name. */
  name: z.string(),
  /** Its address without a path; null: not known. */
  service: z.string().nullable(),
  operation,
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  sentAt: instant,
});
export type JourneyPlace = z.infer<typeof journeyPlace>;

export const journeySummary = z.object({
  reference: z.string(),
  environment: shownId,
  operation,
  title: z.string(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  startedAt: instant,
  lastAt: instant,
  /** When its final state was first known; null: it may still change. */
  finalAt: instant.nullable(),
  track: z.object({ signed: journeyStep, accepted: journeyStep, webhook: journeyStep, final: journeyStep }),
  state: z.string().nullable(),
  /** What was said of it does not fit together: `state` is what was said last, and may not be how it stands. */
  isDisputed: z.boolean(),
  /** Where payments of it went, each environment and address once; what never left went nowhere. */
  sentTo: z.array(journeyPlace),
});
export type JourneySummary = z.infer<typeof journeySummary>;

export const journeyEvent = z.object({
  kind: z.enum(['sent', 'accepted', 'refused', 'unknown', 'webhook', 'status', 'settled', 'balance']),
  at: instant,
  title: z.string(),
  detail: z.string().nullable(),
  tone: z.enum(['good', 'bad', 'warn', 'quiet']),
  exchangeId: z.string().nullable(),
  webhookId: z.string().nullable(),
  /** What a webhook or a status query said of the payment; null: nothing that is known, or another event. */
  state: z.string().nullable(),
  /** The address of the service that was asked, without a path: a reference is one payment only within one. Null: not known. */
  service: z.string().nullable(),
});

const undeliveredWebhook = z.object({
  callbackUrl: z.string(),
  attempts: z.number(),
  /** Why the last attempt failed. */
  error: z.string(),
  /** By the machine's clock; null: it is not tried again by itself. */
  nextAttemptAt: instant.nullable(),
});
export type UndeliveredWebhook = z.infer<typeof undeliveredWebhook>;

export const journey = z.object({
  summary: journeySummary,
  events: z.array(journeyEvent),
  /** Names of opened team inboxes that could not be asked: webhooks of theirs are missing. */
  unasked: z.array(z.string()),
  /** The newest webhook that the local sandbox tried to deliver in vain; left out: there is none. */
  undelivered: undeliveredWebhook.optional(),
});
export type Journey = z.infer<typeof journey>;

const { read } = methodsOf('journey.*');

export const journeyMethods = {
  'journey.list': read({
    input: z.object({
      limit: z.number().int().min(1).max(500).default(100),
      before: instant.nullable().default(null),
      search: z.string().max(LONGEST_SEARCH).default(''),
    }),
    output: z.object({ journeys: z.array(journeySummary), nextBefore: instant.nullable() }),
  }),
  'journey.get': read({
    input: z.object({ reference: z.string() }),
    output: journey,
    errors: ['journey.unknown'],
  }),
};
