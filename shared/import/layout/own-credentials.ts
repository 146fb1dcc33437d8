import { ownValue } from '../../own-value';
import { operations } from '../../payments/tables/operations';
import type { ImportedRequest } from '../imported';

const signed = Object.values(operations).filter(({ isSigned }) => isSigned);

/**
 * Gives a signed payment of the service a token and a signature of this app's, in place of those that were copied with it.
 *
 * A copied token lasts an hour, and a copied signature holds for one body: kept as they are, the request works once at best.
 * What is no payment of the service, or has variables there already, stays as it is.
 * @source payments-service-interface, parts 4.1, 4.2 and 5
 */
export function takeOwnCredentials(request: ImportedRequest): ImportedRequest {
  const path = request.url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const operation = signed.find(({ paths }) => paths.some((one) => path.endsWith(one)));
  const [product] = operation?.products ?? [];
  const isSignedThere = request.headers.some(([name]) => name.toLowerCase() === 'x-custom-signature');
  if (product === undefined || !isSignedThere) return request;
  const own: Readonly<Record<string, string>> = {
    authorization: `Bearer {{token.${product}}}`,
    'x-custom-signature': '{{signature}}',
  };
  const headers = request.headers.map(([name, value]): [string, string] => [
    name,
    value.includes('{{') ? value : (ownValue(own, name.toLowerCase()) ?? value),
  ]);
  if (headers.every(([, value], index) => value === request.headers[index]![1])) return request;
  const what =
    'The token and the signature that came with it are left out: the app fetches and makes its own for each send.';
  return { ...request, headers, notes: [...request.notes, what] };
}
