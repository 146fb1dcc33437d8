import { z } from 'zod';
import { receiverScenarioNames } from '../receiver-check/receiver-scenarios';
import { nothing } from './common';
import { methodsOf } from './define';

const scenario = z.enum(receiverScenarioNames);

/** How a check of a webhook receiver stands; one at a time. */
export const receiverStatus = z.object({
  state: z.enum(['idle', 'running', 'done', 'canceled', 'failed']),
  url: z.string(),
  stateUrl: z.string(),
  /** What this check plays, in its order. */
  planned: z.array(scenario),
  current: scenario.nullable(),
  results: z.array(
    z.object({
      scenario,
      verdict: z.enum(['pass', 'fail']),
      reason: z.string(),
      elapsedMs: z.number(),
      isSkipped: z.boolean(),
      isAnswerOnly: z.boolean(),
    }),
  ),
  /** Why it ended early. */
  message: z.string().nullable(),
});
export type ReceiverStatus = z.infer<typeof receiverStatus>;

const { read, write } = methodsOf('receiver.*', 'sending.*', 'signing.*');

export const receiverMethods = {
  'receiver.status': read({ input: nothing, output: receiverStatus, errors: [] }),
  /** Begins; each verdict is told by `receiver.changed`. Results of scenarios that are not played again stay. */
  'receiver.check': write({
    input: z.object({
      url: z.string().max(2000),
      scenarios: z.array(scenario).min(1).max(receiverScenarioNames.length),
      /** `whsec_…`; never kept. Null: webhooks are not signed. */
      secret: z.string().max(500).nullable().default(null),
      stateUrl: z.string().max(2000).nullable().default(null),
      timeoutMs: z.number().int().min(100).max(60_000).default(15_000),
      /** Plays these again beside what the last check of this address showed. */
      isRerun: z.boolean().default(false),
    }),
    output: receiverStatus,
  }),
  'receiver.cancel': write({ input: nothing, output: receiverStatus }),
};
