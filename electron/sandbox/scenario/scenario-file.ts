import { sayConflict } from '@shared/http-file/find-conflicts';
import { z } from 'zod';
import { product } from '@shared/contract/common';
import { sandboxSettings } from '@shared/contract/sandbox';
import { AppError } from '@shared/errors';
import { parseJsonTree } from '@shared/json/json-tree';
import { parseWebUrl } from '@shared/payments/text-formats';
import { walletStates } from '@shared/payments/tables/states';
import { planTestWebhooks, requireObject } from '@shared/webhooks/test-webhook';
import { endSentence } from '@shared/end-sentence';

const MOST_STEPS = 10_000;
const LONGEST_SECONDS = 31_536_000;
const MOST_BODY = 1_000_000;
const { settleMs, rateLimit, retries, acceptanceForm, badRequestForm, pathForm, webhookSigning } =
  sandboxSettings.shape;

const when = {
  at_seconds: z
    .number()
    .min(0)
    .max(LONGEST_SECONDS)
    .describe('When, in seconds of the sandbox’s clock since its start'),
};
const milliseconds = z.number().min(0).max(60_000).optional();
const share = z.number().min(0).max(1).optional();

const step = z.discriminatedUnion('do', [
  z
    .strictObject({
      do: z.literal('wallet'),
      ...when,
      product,
      currency: z.string().max(10),
      top_up: z
        .string()
        .regex(/^\d{1,12}(\.\d{1,2})?$/)
        .optional()
        .describe('Added to what is there, like 1000.00'),
      status: z.enum(walletStates).optional(),
      empty: z.literal(true).optional().describe('Takes all that no payment holds'),
    })
    .describe('Top up, suspend, activate or empty a wallet'),
  z
    .strictObject({
      do: z.literal('faults'),
      ...when,
      latency_ms: milliseconds,
      error_rate: share,
      drop_rate: share,
      slow_body_ms: milliseconds,
    })
    .describe('What goes wrong from then on; what is left out goes right'),
  z
    .strictObject({
      do: z.literal('settings'),
      ...when,
      settle_ms: settleMs.optional(),
      rate_limit: rateLimit.optional(),
      retries: retries.optional(),
      acceptance_form: acceptanceForm.optional(),
      bad_request_form: badRequestForm.optional(),
      path_form: pathForm.optional(),
      webhook_signing: webhookSigning.optional(),
    })
    .describe('Settings from then on; what is left out stays'),
  z
    .strictObject({
      do: z.literal('payment'),
      ...when,
      reference: z.string().max(500),
      state: z.enum(['succeeded', 'failed', 'canceled']),
    })
    .describe('End a payment that was accepted by then'),
  z
    .strictObject({
      do: z.literal('webhook'),
      ...when,
      callback_url: z.url().max(2000),
      body: z.string().max(MOST_BODY).describe('A JSON object as text: every byte of it is sent as written'),
      scenario: z
        .string()
        .max(60)
        .optional()
        .describe('duplicate, late:SECONDS, out-of-order or burst:COUNT'),
    })
    .describe('Send a webhook of your own'),
  z.strictObject({ do: z.literal('reset'), ...when }).describe('Forget payments, webhooks and faults'),
]);

/** What a sandbox does of itself, over its own time: `resources/sandbox-scenario.schema.json` is made of this. */
export const sandboxScenario = z.strictObject({
  $schema: z.string().max(1000).optional(),
  version: z.literal(1, { error: 'this program reads version 1' }),
  steps: z.array(step).max(MOST_STEPS),
});

export type ScenarioStep = z.output<typeof step>;

/** Reads a scenario that somebody wrote, its steps in the order of their time. @throws {AppError} `sandbox.bad_scenario` with the first fault */
export function parseScenario(text: string): ScenarioStep[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw refuse(`it is no JSON${findFault(text)}.`);
  }
  const checked = sandboxScenario.safeParse(given);
  if (!checked.success) {
    const { path, message } = checked.error.issues[0]!;
    throw refuse(`${path.join('/').slice(0, 100) || 'the file'}: ${endSentence(message.slice(0, 200))}`);
  }
  const { steps } = checked.data;
  steps.forEach((one, index) => {
    if (one.do !== 'webhook') return;
    if (parseWebUrl(one.callback_url) === null)
      throw refuse(`steps/${index}/callback_url: it is no http:// or https:// address.`);
    try {
      planScenarioWebhooks(one);
    } catch (error) {
      throw refuse(`steps/${index}: ${(error as Error).message}`);
    }
  });
  return steps.toSorted((a, b) => a.at_seconds - b.at_seconds);
}

/** Says where it is none: a reader that takes what `JSON.parse` takes names the place. */
function findFault(text: string): string {
  const conflict = sayConflict(text);
  if (conflict !== null) return `: ${conflict.replace(/\.$/, '')}`;
  try {
    parseJsonTree(text, 1);
  } catch (error) {
    const [, place] = /^The body is not JSON(: .*)\.$/s.exec((error as Error).message) ?? [];
    if (place !== undefined) return place;
  }
  return '';
}

/** What a step sends. @throws {AppError} `sending.bad_input` */
export function planScenarioWebhooks({ body, scenario }: Extract<ScenarioStep, { do: 'webhook' }>) {
  requireObject(body);
  return planTestWebhooks(body, scenario ?? null, () => 'scenario');
}

const refuse = (why: string): AppError =>
  new AppError('sandbox.bad_scenario', `The scenario cannot be played: ${why} Nothing was started.`);
