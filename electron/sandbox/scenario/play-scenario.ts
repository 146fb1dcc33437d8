import { AppError } from '@shared/errors';
import type { SandboxWalletChange } from '@shared/contract/sandbox';
import type { SandboxControls } from '../admin/sandbox-controls';
import { toCamelCase } from '../admin/sandbox-views';
import type { SandboxContext } from '../sandbox-context';
import { noFaults } from '../sandbox-options';
import { planScenarioWebhooks, type ScenarioStep } from './scenario-file';

/** What became of a step; `failure`: null where it was done. */
export type StepListener = (step: ScenarioStep, failure: string | null) => void;

/**
 * Plans every step by the sandbox's clock from now on: an advanced clock brings them all the sooner.
 *
 * A step that cannot be done is told, and the rest goes on. Nothing of it outlives the sandbox.
 */
export function playScenario(
  context: SandboxContext,
  controls: SandboxControls,
  steps: readonly ScenarioStep[],
  onStep: StepListener,
): void {
  const start = context.clock.now();
  for (const step of steps) {
    context.clock.schedule(start + Math.round(step.at_seconds * 1000), () => {
      let failure: string | null = null;
      try {
        takeStep(context, controls, step);
      } catch (error) {
        failure = error instanceof AppError ? error.message : String(error);
      }
      onStep(step, failure);
    });
  }
}

function takeStep(context: SandboxContext, controls: SandboxControls, step: ScenarioStep): void {
  switch (step.do) {
    case 'wallet':
      for (const change of readChanges(step)) controls.changeWallet(step.product, step.currency, change);
      return;
    case 'faults':
      return void controls.setFaults({ ...noFaults, ...valuesOf(step) });
    case 'settings':
      return void controls.updateSettings(valuesOf(step));
    case 'payment': {
      const payment = context.payments.findByReference(step.reference);
      if (payment === undefined) {
        throw new AppError('sandbox.payment_unknown', 'There is no payment with this reference by then.');
      }
      return void controls.setPaymentState(payment.paymentUuid, step.state);
    }
    case 'webhook':
      return sendWebhooks(context, step);
    case 'reset':
      return controls.reset();
  }
}

/** Members but those that say what the step is, by the names of the contract. */
function valuesOf({ do: _do, at_seconds: _at, ...values }: ScenarioStep): object {
  return toCamelCase(values) as object;
}

function readChanges({
  top_up: amount,
  status,
  empty,
}: Extract<ScenarioStep, { do: 'wallet' }>): SandboxWalletChange[] {
  return [
    ...(empty === true ? [{ kind: 'empty' as const }] : []),
    ...(amount === undefined ? [] : [{ kind: 'top_up' as const, amount }]),
    ...(status === undefined ? [] : [{ kind: 'set_status' as const, status }]),
  ];
}

function sendWebhooks(
  { commit, webhooks }: SandboxContext,
  step: Extract<ScenarioStep, { do: 'webhook' }>,
): void {
  commit.write(() => {
    for (const { payload, copies, delaySeconds } of planScenarioWebhooks(step)) {
      webhooks.enqueue({
        callbackUrl: step.callback_url,
        body: payload,
        transactionReference: null,
        copies,
        delayMs: delaySeconds * 1000,
      });
    }
  });
  commit.flush();
  webhooks.wake();
}
