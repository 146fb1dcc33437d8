import { classOf, createFigures } from '../platform/figures';
import type { SandboxOptions } from './sandbox-options';

/** Counts what a sandbox answers and sends; `hooks` go into its options. */
export async function createSandboxFigures() {
  const figures = await createFigures();
  const requests = figures.count(
    'countersign_sandbox_requests_total',
    'Requests answered, of all tenants: by operation, by the check that answered, by class of status',
    ['operation', 'verdict', 'status_class'],
  );
  const times = figures.time(
    'countersign_sandbox_request_duration_seconds',
    'From a whole request to its answer, faults that were asked for left out',
    ['operation'],
  );
  const attempts = figures.count(
    'countersign_sandbox_webhook_attempts_total',
    'Attempts at webhooks, by what their delivery is after it: pending is tried again',
    ['state'],
  );
  const hooks: Pick<SandboxOptions, 'onAnswer' | 'onAttempt'> = {
    onAnswer({ operation, answer, durationMs }) {
      const name = operation ?? 'none';
      requests.inc({ operation: name, verdict: answer.verdict, status_class: classOf(answer.httpStatus) });
      times.observe({ operation: name }, durationMs / 1000);
    },
    onAttempt: (state) => attempts.inc({ state }),
  };
  return {
    hooks,
    readFigures: figures.readFigures,
    /** Counts, from now on, those who share it. */
    watch(sandbox: { readonly tenants: { readonly count: number } }): void {
      const help = 'Those who share the sandbox, the operator left out';
      figures.measure('countersign_sandbox_tenants', help, () => sandbox.tenants.count);
    },
  };
}
