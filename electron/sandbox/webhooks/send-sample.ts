import { validateSendTest } from '@shared/payments/validate-fields';
import { answerEnvelope, answerJson, type Answer } from '../http/answers';
import { readMemberLiteral } from '../payments/member-literal';
import type { SandboxContext } from '../sandbox-context';
import type { ServiceRequest } from '../http/service-request';
import { writeSampleBody } from './webhook-body';
import { grantHost } from './address-policy';

/**
 * Sends a sample webhook, in the form of the real ones.
 *
 * A host that this sandbox may not call is answered HTTP 403 `403.300`: the one place where the service refuses
 * for want of authorization.
 * @source payments-service-interface, part 4.5; assumption A8
 */
export async function sendSample(context: SandboxContext, request: ServiceRequest): Promise<Answer> {
  const fieldErrors = validateSendTest(request.value);
  if (fieldErrors.length > 0) {
    return answerEnvelope('validation', 'fields', 'Validation failed', { fieldErrors });
  }
  const callbackUrl = String(request.value.callback_url);
  const url = new URL(callbackUrl);
  const isOwnHost = (host: string): boolean => host === context.ownHost;
  if (grantHost(url, context.settings.allowedCallbackHosts, isOwnHost) === null) {
    const description =
      `Webhooks to ${url.hostname} are not allowed: only to this machine, and to hosts named with ` +
      '--allow-callback-host.';
    return answerEnvelope('authorization', 'rules', description);
  }
  const reference = request.value.client_reference;
  const body = writeSampleBody(
    request.value,
    readMemberLiteral(request.text, 'amount'),
    readMemberLiteral(request.text, 'metadata'),
  );
  const deliveryId = context.commit.write(() =>
    context.webhooks.enqueue({
      callbackUrl,
      body,
      transactionReference: typeof reference === 'string' ? reference : null,
    }),
  );
  const failure = await context.commit.afterCommit();
  if (failure !== null) throw failure;
  context.webhooks.wake();
  return answerJson(
    200,
    `{"status":"200.100","code":"ACCEPTED","description":"Webhook queued","data":{"delivery_id":"${deliveryId}"}}`,
    'ok',
  );
}
