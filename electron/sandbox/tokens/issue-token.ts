import { createHash, timingSafeEqual } from 'node:crypto';
import { validateTokenRequest } from '@shared/payments/validate-fields';
import type { Product } from '@shared/payments/tables/products';
import { TOKEN_LIFETIME_SECONDS } from './access-tokens';
import { answerEnvelope, answerJson, type Answer } from '../http/answers';
import type { SandboxContext } from '../sandbox-context';
import type { ServiceRequest } from '../http/service-request';

/** Compares two secrets in a time that does not depend on where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Issues a bearer token for one product. @source design 6, assumption A1 */
export function issueToken(context: SandboxContext, request: ServiceRequest): Answer {
  const fieldErrors = validateTokenRequest(request.value);
  if (fieldErrors.length > 0) {
    return answerEnvelope('validation', 'fields', 'Validation failed', { fieldErrors });
  }
  const given = request.value as { consumer_key: string; consumer_secret: string; product: Product };
  const { consumerKey, consumerSecret } = context.credentials;
  const isKey = isSameSecret(given.consumer_key, consumerKey);
  const isApp = isSameSecret(given.consumer_secret, consumerSecret) && isKey;
  if (!isApp && !context.backendCredentials.accepts(given.consumer_key, given.consumer_secret)) {
    const padded = [given.consumer_key, given.consumer_secret].some((text) => text !== text.trim());
    const hint = padded
      ? ' White space stands at the start or end of one: a line end of the file that it was read from?'
      : '';
    return answerEnvelope(
      'authentication',
      'token',
      `The consumer key or the consumer secret is wrong.${hint}`,
    );
  }
  const { token } = context.tokens.issue(given.product, given.consumer_key);
  const body = JSON.stringify({
    access_token: token,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    product: given.product,
  });
  return answerJson(200, body, 'ok', null, { headers: ['Cache-Control', 'no-store'] });
}
