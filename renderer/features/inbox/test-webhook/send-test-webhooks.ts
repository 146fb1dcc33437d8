import type { MethodOutput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { editTestPayload, planTestWebhooks, writeTestPayload } from '@shared/webhooks/test-webhook';
import { call } from '../../../transport/client';

/** What the fields of the form say. */
export interface TestWebhookForm {
  readonly status: string;
  readonly reference: string;
  readonly amount: string;
  /** Members of the body, a line each: `a.b=VALUE`, or `-a.b` for one that the body is to lack. */
  readonly overrides: string;
  /** As `planTestWebhooks` reads it; null: once. */
  readonly scenario: string | null;
}

/** Plans what the form asks for. @throws {AppError} `sending.bad_input`, a sentence for whoever filled it in */
export function planForm({ status, reference, amount, overrides, scenario }: TestWebhookForm) {
  const written = writeTestPayload({
    status,
    amount: amount.trim() === '' ? undefined : amount,
    client_reference: reference === '' ? undefined : reference,
  });
  const lines = overrides
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const other = lines.find((line) => !/^(?:-[^=]+|[^=-][^=]*=.*)$/.test(line));
  if (other !== undefined) {
    const text = `'${other.slice(0, 60)}' is no change. Write a.b=VALUE to set a member, -a.b to leave one out.`;
    throw new AppError('sending.bad_input', text);
  }
  const unset = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
  const set = lines.filter((line) => !line.startsWith('-'));
  const payload = editTestPayload(written, { set, unset });
  return {
    webhooks: planTestWebhooks(payload, scenario, () => `test-${Date.now().toString(36)}`),
    // The service's simulator takes the members that it knows; the sandbox sends others when it is asked to.
    isExact: lines.length > 0,
  };
}

type Sent = MethodOutput<'webhooks.sendTest'>;

/**
 * Has the service of an environment send what the form asks for.
 *
 * @returns what it said against one of them; null: it took them all
 */
export async function sendTestWebhooks(
  form: TestWebhookForm,
  to: { readonly environment: string; readonly callbackUrl: string },
): Promise<string | null> {
  const { webhooks, isExact } = planForm(form);
  const sent = await Promise.all(
    webhooks.map((one) => call('webhooks.sendTest', { ...to, isExact, ...one })),
  );
  return sent.map(findFault).find((fault) => fault !== null) ?? null;
}

function findFault({ error, response, reading }: Sent): string | null {
  if (error !== null) return error.message;
  if (response !== null && response.httpStatus < 300) return null;
  return reading?.title ?? `The service answered HTTP ${response?.httpStatus ?? 'nothing'}.`;
}

/** Whether the local sandbox signs its webhooks. */
export async function readSigning(): Promise<boolean> {
  const { settings } = await call('sandbox.state', { limit: 1 });
  return settings.webhookSigning;
}

/** Has the local sandbox sign its webhooks from now on, or not. */
export async function changeSigning(webhookSigning: boolean): Promise<void> {
  await call('sandbox.updateSettings', { webhookSigning });
}
