import { validateSendTest } from '@shared/payments/validate-fields';
import { answerEnvelope, answerJson, type Answer } from '../http/answers';
import { readMemberLiteral } from '../payments/member-literal';
import type { SandboxContext } from '../sandbox-context';
import type { ServiceRequest } from '../http/service-request';
import { completeSample, writeSampleBody } from './webhook-body';
import { grantHost } from './address-policy';
import { cutCallbackUrl, readWebhookWish, wishForms } from './webhook-wish';

/**
 * Sends a sample webhook, in the form of the real ones.
 *
 * A host that this sandbox may not call is answered HTTP 403 `403.300`: the one place where the service refuses
 * for want of authorization.
 * @source payments-service-interface, part 4.5; assumption A8
 */
export async function sendSample(context: SandboxContext, request: ServiceRequest): Promise<Answer> {
  const wish = readWebhookWish(request.webhookWish);
  if (wish === null) {
    return answerEnvelope('validation', 'fields', `X-Sandbox-Webhook takes ${wishForms}.`);
  }
  const checked = validateSendTest(request.value);
  const fieldErrors = wish.isExact ? checked.filter(({ field }) => field === 'callback_url') : checked;
  if (fieldErrors.length > 0) {
    return answerEnvelope('validation', 'fields', 'Validation failed', { fieldErrors });
  }
  const callbackUrl = String(request.value.callback_url);
  const url = new URL(callbackUrl);
  const isOwnHost = (host: string): boolean => host === context.ownHost;
  const { isExposed, settings } = context;
  if (grantHost(url, { allowedHosts: settings.allowedCallbackHosts, isOwnHost, isExposed }) === null) {
    const description =
      `Webhooks to ${url.hostname} are not allowed: only to ${isExposed ? '' : 'this machine, and to '}hosts named with ` +
      '--allow-callback-host.';
    return answerEnvelope('authorization', 'rules', description);
  }
  const exact = wish.isExact ? cutCallbackUrl(request.text) : null;
  if (wish.isExact && exact === null) {
    return answerEnvelope(
      'validation',
      'fields',
      'For an exact webhook callback_url is the first member of the body.',
    );
  }
  const value = exact === null ? completeSample(request.value, context.random.reference) : request.value;
  const reference = value['client_reference'];
  const body =
    exact ??
    writeSampleBody(
      value,
      readMemberLiteral(request.text, 'amount'),
      readMemberLiteral(request.text, 'metadata'),
    );
  const deliveryId = context.commit.write(() =>
    context.webhooks.enqueue({
      callbackUrl,
      body,
      transactionReference: typeof reference === 'string' ? reference : null,
      copies: wish.copies,
      delayMs: wish.delaySeconds * 1000,
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
