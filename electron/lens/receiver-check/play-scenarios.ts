import { randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { hasEffectTwice, lacksEffect, measureChange } from '@shared/receiver-check/measure-change';
import type { ReceiverScenario } from '@shared/receiver-check/receiver-scenarios';
import type { FinalState } from '../../sandbox/store/payment-store';
import {
  addMembers,
  createPayment,
  removeMetadata,
  reportAs,
  reportPayment,
  type PlayedWebhook,
  type SignatureForm,
} from './played-webhook';
import { describeStatus, isTaken, ReceiverFault, type Stage } from './stage';

type Play = (stage: Stage) => Promise<void>;

const SLOW = { pieces: 9, pauseMs: 250 };
const PAIRS_AT_ONCE = 3;
const META_BYTES = 1024 * 1024;

/** Sends one webhook, which has to be taken. */
function deliverOne(make: () => PlayedWebhook): Play {
  return async (stage) => void (await stage.deliver(make(), 'The webhook'));
}

function reportFinal(state: FinalState): Play {
  return deliverOne(() => reportPayment(createPayment(), state));
}

/** Delivers one webhook, then another that has to be taken, too, and to change nothing. */
function deliverThenHarmless(
  make: () => readonly [PlayedWebhook, PlayedWebhook],
  what: string,
  harm: string,
): Play {
  return async (stage) => {
    const start = await stage.readState();
    const [first, second] = make();
    await stage.deliver(first, 'The first webhook');
    const known = await stage.readState();
    stage.isUnmoved = isDeepStrictEqual(start, known);
    await stage.deliver(second, what);
    await stage.expectSameState(known, harm);
  };
}

/** Both wait with their bodies until both connections stand. */
async function deliverAtOnce(stage: Stage, webhook: PlayedWebhook): Promise<void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const pair = [1, 2].map(() => stage.send(webhook, { release: released }));
  await wait(100);
  release();
  for (const answer of await Promise.all(pair))
    stage.expectTaken(answer, 'One of two deliveries at the same moment');
}

const playAtOnce: Play = async (stage) => {
  const start = await stage.readState();
  await stage.deliver(reportPayment(createPayment()), 'The webhook before the pairs');
  const single = await stage.readState();
  for (let pair = 0; pair < PAIRS_AT_ONCE; pair++) await deliverAtOnce(stage, reportPayment(createPayment()));
  if (!stage.hasState) return;
  const yardstick = measureChange(start, single);
  stage.isUnmoved = yardstick.size === 0;
  if (hasEffectTwice(yardstick, measureChange(single, await stage.readState()), PAIRS_AT_ONCE)) {
    throw new ReceiverFault(
      'Two deliveries of one webhook at the same moment took effect twice: look for the webhook and note it in one step, by a unique key or a lock.',
    );
  }
};

/** Two UUIDs above 2^53; a double takes both for the first. */
function drawLargeUuids(): readonly string[] {
  const first = 2n ** 53n + 4n * BigInt(randomInt(2 ** 40));
  return [String(first), String(first + 1n)];
}

const playLargeUuids: Play = async (stage) => {
  const uuids = drawLargeUuids();
  await stage.deliver(reportPayment(createPayment()), 'The webhook with an ordinary payment_uuid');
  const states = [await stage.readState()];
  for (const paymentUuid of uuids) {
    await stage.deliver(
      reportPayment({ ...createPayment(), paymentUuid }),
      `The webhook with payment_uuid ${paymentUuid}`,
    );
    states.push(await stage.readState());
  }
  const [before, first, second] = states;
  stage.isUnmoved = isDeepStrictEqual(before, first);
  if (stage.isUnmoved) return;
  const [one, next] = [measureChange(before, first), measureChange(first, second)];
  let isMerged = isDeepStrictEqual(first, second);
  if (!isMerged && lacksEffect(one, next, one)) {
    // A list that is full grows no more: another payment tells.
    await stage.deliver(reportPayment(createPayment()), 'The webhook after them');
    isMerged = lacksEffect(one, next, measureChange(second, await stage.readState()));
  }
  if (isMerged) {
    throw new ReceiverFault(
      `The payments ${uuids.join(' and ')} were taken for one: keep payment_uuid as text, a number loses its last digits above 2^53.`,
    );
  }
};

const playSlowly: Play = async (stage) => {
  const answer = await stage.send(reportPayment(createPayment()), SLOW);
  const { httpStatus } = answer;
  // Another one: what is refused the first time alone is not refused for being slow.
  if (httpStatus !== null && httpStatus >= 400 && isTaken(await stage.send(reportPayment(createPayment()))))
    throw new ReceiverFault(
      `The slow webhook was answered ${describeStatus(answer)}, and one that came at once was taken: read the whole body before anything is done.`,
    );
  stage.expectTaken(answer, 'The slow webhook');
  if (answer.isEarly) {
    throw new ReceiverFault(
      'It answered 2xx before all of the webhook had come: read the whole body, keep it, then answer.',
    );
  }
};

/** A webhook that must not be believed. */
async function deliverForged(
  stage: Stage,
  signature: SignatureForm,
  what: string,
  advice: string,
): Promise<void> {
  const before = await stage.readState();
  const answer = await stage.send(reportPayment(createPayment()), { signature });
  const { httpStatus, error } = answer;
  if (httpStatus === null)
    throw new ReceiverFault(`${what} got no answer: ${error ?? 'the connection failed'}.`);
  if (httpStatus >= 500 && !stage.hasTakenRight)
    throw new ReceiverFault(
      `${what} was answered ${describeStatus(answer)}, and so may be one that is signed right: look in the log of the handler first.`,
    );
  if (httpStatus < 400 || httpStatus >= 500)
    throw new ReceiverFault(
      `${what} was answered ${describeStatus(answer)}: ${advice} before anything is done.`,
    );
  await stage.expectSameState(before, `${what} was refused, but had an effect`);
}

/** A handler that refuses everything refuses what is forged, too, and shows nothing by it; so does a state that never changes. */
async function requireTaken(stage: Stage, what: string): Promise<void> {
  const before = await stage.readState();
  const answer = await stage.send(reportPayment(createPayment()));
  stage.isUnmoved = isTaken(answer) && isDeepStrictEqual(before, await stage.readState());
  const { httpStatus } = answer;
  if (httpStatus !== null && httpStatus >= 400 && httpStatus < 500) stage.expectTaken(answer, what);
}

/** Who looks at a signature only where there is one, only at as many bytes as it has, or only at the first of them, believes others. */
const playForged: Play = async (stage) => {
  await requireTaken(
    stage,
    'It cannot be told whether it refuses what is forged: a webhook that is signed right',
  );
  await deliverForged(stage, 'other', 'A webhook signed with another secret', 'refuse it with 401');
  await deliverForged(
    stage,
    'none',
    'A webhook without the headers of a signature',
    'anybody can send one, so refuse it with 401',
  );
  await deliverForged(
    stage,
    'empty',
    'A webhook whose webhook-signature is “v1,” and nothing behind it',
    'compare all bytes of the signature that you compute, and refuse it with 401',
  );
  await deliverForged(
    stage,
    'cut',
    'A webhook whose signature is right but for its last byte',
    'compare all bytes of the signature that you compute, and refuse it with 401',
  );
};

/** Ours stands last, then first: who looks at one place alone finds the other's in one of the two. */
const playRotated: Play = async (stage) => {
  await requireTaken(stage, 'The webhook with one signature');
  for (const signature of ['rotated', 'rotated-last'] as const)
    await stage.deliver(reportPayment(createPayment()), 'The webhook', { signature });
};

const playOld: Play = async (stage) => {
  await requireTaken(
    stage,
    'It cannot be told whether it refuses what is old: a webhook that is signed right now',
  );
  await deliverForged(
    stage,
    'old',
    'A webhook whose signature is an hour old',
    'compare webhook-timestamp, in seconds, with your clock, and refuse with 401 what is five minutes off',
  );
};

const playRedirect: Play = async (stage) => {
  stage.expectTaken(await stage.send(reportPayment(createPayment())), 'The webhook');
};

const playRetries: Play = async (stage) => {
  const webhook = reportPayment(createPayment());
  const states = [await stage.readState()];
  await stage.send(webhook, { isAnswerLost: true });
  states.push(await stage.readState());
  let failure: unknown = null;
  for (const waitMs of stage.options.retryWaitsMs) {
    await wait(waitMs);
    const answer = await stage.send(webhook);
    states.push(await stage.readState());
    try {
      stage.expectTaken(answer, 'The delivery was sent again and again. The last');
      failure = null;
      break;
    } catch (fault) {
      failure = fault;
    }
  }
  if (failure !== null) throw failure;
  const effects = states.flatMap((state, at) =>
    at > 0 && !isDeepStrictEqual(state, states[at - 1]) ? [stage.describeChange(states[at - 1], state)] : [],
  );
  stage.isUnmoved = effects.length === 0;
  if (effects.length > 1) {
    throw new ReceiverFault(
      `A delivery that was sent again because its answer was lost took effect twice, then ${effects.at(-1)}: note its webhook-id or reference together with its effect.`,
    );
  }
};

/** How each scenario is played. @throws {ReceiverFault} from each, where the receiver did wrong */
export const plays: Readonly<Record<ReceiverScenario, Play>> = {
  success: reportFinal('succeeded'),
  failed: reportFinal('failed'),
  canceled: reportFinal('canceled'),
  duplicate: deliverThenHarmless(
    () => {
      const webhook = reportPayment(createPayment());
      return [webhook, webhook];
    },
    'The same delivery, sent again,',
    'The same delivery, sent again, took effect a second time',
  ),
  'duplicate-at-once': playAtOnce,
  'out-of-order': deliverThenHarmless(
    () => {
      const payment = createPayment();
      return [reportPayment(payment), reportAs(payment, { status: 'ACCEPTED' })];
    },
    'The older status ACCEPTED, after SUCCESS,',
    'The older status ACCEPTED, which came after SUCCESS, changed what was final',
  ),
  late: deliverThenHarmless(
    () => {
      const payment = createPayment();
      return [reportPayment(payment), reportPayment(payment)];
    },
    'The final status of a payment that was final already',
    'The final status of a payment that was final already took effect again, because its webhook-id was new: go by the reference',
  ),
  'unknown-reference': deliverOne(() =>
    reportPayment({ ...createPayment(), reference: `unknown-${randomUUID()}` }),
  ),
  'unknown-status': deliverOne(() => reportAs(createPayment(), { status: 'UNDER_REVIEW' })),
  'extra-fields': deliverOne(() => addMembers(reportPayment(createPayment()))),
  'missing-meta': deliverOne(() => removeMetadata(reportPayment(createPayment()))),
  'large-payment-uuid': playLargeUuids,
  'amount-form': deliverThenHarmless(
    () => {
      const payment = createPayment();
      const first = reportAs(payment, { amount: '1000.00' });
      return [first, { ...reportAs(payment, { amount: '1000' }), id: first.id }];
    },
    'The same webhook with the amount as 1000 in place of 1000.00',
    'The amount as 1000 in place of 1000.00 was taken for something new',
  ),
  'large-meta': deliverOne(() =>
    reportPayment({ ...createPayment(), metaJson: `{"note":"${'x'.repeat(META_BYTES)}"}` }),
  ),
  'slow-sender': playSlowly,
  'wrong-signature': playForged,
  'old-signature': playOld,
  'rotated-signature': playRotated,
  redirect: playRedirect,
  retries: playRetries,
};

/** Those that have nothing to show without a secret: the interface does not sign webhooks. */
export const signedScenarios: ReadonlySet<ReceiverScenario> = new Set([
  'wrong-signature',
  'old-signature',
  'rotated-signature',
]);
