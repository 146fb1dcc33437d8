import { signWebhook } from '../../platform/crypto/standard-webhooks';
import type { SandboxClock } from '../sandbox-clock';
import { retrySchedules, type RetrySchedule } from './webhook-schedules';
import type { SendOutcome, WebhookSender } from './webhook-sender';
import { toWebhookId, type DeliveryAttempt, type DeliveryChange, type DeliveryJob } from './webhook-store';

/** What one attempt was, and what becomes of its delivery. */
export interface AttemptResult {
  readonly job: DeliveryJob;
  readonly attempt: DeliveryAttempt;
  readonly change: DeliveryChange;
}

export interface AttemptParts {
  readonly sender: WebhookSender;
  readonly clock: SandboxClock;
  readonly schedule: RetrySchedule;
  /** What the webhook is signed with; null: it is not. */
  readonly secret: string | null;
}

/** Sends one webhook once. @returns null where the attempt was broken off by us and says nothing of the receiver */
export async function attemptDelivery(job: DeliveryJob, parts: AttemptParts): Promise<AttemptResult | null> {
  const { sender, clock, secret } = parts;
  const at = clock.now();
  const { callbackUrl, body } = job;
  const outcome = await sender.send({ callbackUrl, headers: writeHeaders(job, secret), body });
  if (outcome.kind === 'aborted') return null;
  const { httpStatus, error, responseBody, durationMs } = outcome;
  return {
    job,
    attempt: { attempt: job.attempts + 1, at, durationMs, httpStatus, error, responseBody },
    change: decideChange(job, outcome, at, parts),
  };
}

function decideChange(
  job: DeliveryJob,
  outcome: SendOutcome,
  at: number,
  { schedule, clock }: AttemptParts,
): DeliveryChange {
  const { copies } = job;
  if (outcome.kind === 'delivered') {
    return copies > 1
      ? { state: 'pending', step: 0, copies: copies - 1, nextAttemptAt: at }
      : { state: 'delivered', step: 0, copies: 0, nextAttemptAt: null };
  }
  const step = job.step + 1;
  const waitMs = retrySchedules[schedule][step];
  if (outcome.kind === 'refused' || waitMs === undefined) {
    return { state: 'failed', step, copies, nextAttemptAt: null };
  }
  return { state: 'pending', step, copies, nextAttemptAt: clock.now() + waitMs };
}

function writeHeaders({ id, body }: DeliveryJob, secret: string | null): Record<string, string> {
  const webhookId = toWebhookId(id);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Countersign-Sandbox/1',
    'webhook-id': webhookId,
  };
  if (secret === null) return headers;
  // Receivers compare it with their own clock, so it is the machine's time, not the sandbox's.
  const timestamp = String(Math.floor(Date.now() / 1000));
  headers['webhook-timestamp'] = timestamp;
  headers['webhook-signature'] = signWebhook([secret], { id: webhookId, timestamp, body: Buffer.from(body) });
  return headers;
}
