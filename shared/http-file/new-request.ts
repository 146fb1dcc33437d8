import type { ServiceProfile } from '../contract/environment-setup';
import { usualProfile } from '../contract/usual-setup';
import { operations, type OperationName } from '../payments/tables/operations';
import type { Product } from '../payments/tables/products';
import { printHttpRequest } from './edit-http-file';
import { newBodies } from './new-bodies';
import { nameCredential, writeVaultReference } from './vault-reference';

type TokenCall = Pick<ServiceProfile, 'tokenPath' | 'requestNames' | 'credentials'>;

interface NewCall {
  path: string;
  body: object | null;
  /** Left out where it is not the interface's own: nobody checks its fields then. */
  operation?: OperationName;
}

/** The token call in the words of the service, which the environment's profile has. */
function describeTokenCall({ tokenPath, requestNames, credentials }: TokenCall, product: Product): NewCall {
  const { consumerKey, consumerSecret } = requestNames;
  const isUsual =
    tokenPath === usualProfile.tokenPath &&
    JSON.stringify(requestNames) === JSON.stringify(usualProfile.requestNames);
  // Where the call does not name the product, only the credentials can be told apart.
  const isToldByName = credentials === 'per_product' && requestNames.product === '';
  const refer = (name: string): string =>
    writeVaultReference(isToldByName ? nameCredential(product, name) : name);
  const body = Object.fromEntries([
    [consumerKey, refer('consumer_key')],
    [consumerSecret, refer('consumer_secret')],
    ...(requestNames.product === '' ? [] : [[requestNames.product, product]]),
  ]) as object;
  return { path: tokenPath, body, ...(isUsual && { operation: 'token' as const }) };
}

/**
 * Writes the file of a new request: address, headers, token and a valid body of its operation.
 *
 * @param request.product - whose token it is sent with, or asks for; one that the operation does not take gives way to its first
 * @param request.profile - how the service has the token call; left out: as it is assumed
 * @source payments-service-interface, parts 2 and 4
 */
export function writeNewRequest(request: {
  name: string;
  operation: OperationName;
  product?: Product | null;
  profile?: TokenCall | undefined;
}): string {
  const { name, operation } = request;
  const { method, paths, products, isSigned } = operations[operation];
  const product = products.find((one) => one === request.product) ?? products[0];
  const { path, body, ...known }: NewCall =
    operation === 'token'
      ? describeTokenCall(request.profile ?? usualProfile, request.product ?? 'payout')
      : { path: paths[0]!, body: newBodies[operation], operation };
  return printHttpRequest({
    name,
    ...known,
    method,
    url: `{{base_url}}${path}`,
    headers: [
      ...(product === undefined ? [] : [['Authorization', `Bearer {{token.${product}}}`] as const]),
      ...(isSigned ? [['X-Custom-Signature', '{{signature}}'] as const] : []),
      ...(body === null ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body: body === null ? null : JSON.stringify(body, null, 2),
  });
}
