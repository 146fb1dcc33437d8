import type { ServiceProfile } from '../contract/environment-setup';
import { usualProfile } from '../contract/usual-setup';
import { operations, type OperationName } from '../payments/tables/operations';
import type { Product } from '../payments/tables/products';
import { printHttpRequest } from './edit-http-file';
import { nameCredential, writeVaultReference } from './vault-reference';

/** What a new request of an operation sends: complete, and taken by the checks of the interface as it stands. */
const bodies: Readonly<Record<Exclude<OperationName, 'token'>, object | null>> = {
  remittance: {
    transaction: {
      reference: '{{$uuid}}',
      amount: 1000,
      currency: 'KES',
      description: 'Family support',
      service_code: 'MPESA-KE',
      timestamp: "{{$datetime 'YYYY-MM-DD HH:mm:ss'}}",
    },
    originator: {
      originator_type: 'Individual',
      first_name: 'Amina',
      other_names: 'Njeri Otieno',
      nationality: 'GB',
      id_type: 'PASSPORT',
      id_number: 'P1234567',
      address: '12 Harbour Road, Bristol',
      msisdn: '447700900123',
      channel: 'API',
      country: 'GB',
      purpose: 'Family support',
    },
    recipient: {
      recipient_type: 'Individual',
      first_name: 'Joseph',
      other_names: 'Kamau Otieno',
      address: 'Moi Avenue, Nairobi',
      msisdn: '254712345678',
      country: 'KE',
      relationship: 'Brother',
      account_type: 'MOMO',
      account: '254712345678',
    },
    callback_url: '{{callback_url}}',
  },
  payout: {
    transaction: {
      reference: '{{$uuid}}',
      amount: 1500,
      currency: 'KES',
      description: 'Salary',
      service_code: 'MPESA-B2C',
      timestamp: '{{$isoTimestamp}}',
    },
    originator: {
      msisdn: '254720000555',
      channel: 'API',
      country: 'KE',
      name: 'Baraka Foods Ltd',
      purpose: 'Salary',
    },
    recipient: {
      reference: 'EMP-0042',
      account: '254712345678',
      name: 'Joseph Kamau',
      destination_code: 'MPESA',
    },
    callback_url: '{{callback_url}}',
  },
  collection: {
    transaction: { reference: '{{$uuid}}', amount: 750, currency: 'KES', description: 'Order A-1001' },
    customer: { name: 'Joseph Kamau', msisdn: '254712345678', email: 'joseph@example.com' },
    callback_url: '{{callback_url}}',
    redirect_url: 'https://shop.example.com/thanks',
  },
  status: { transaction_reference: '{{last_reference}}' },
  balances: null,
  send_test: {
    callback_url: '{{callback_url}}',
    status: 'SUCCESS',
    code: '200.100',
    amount: 1000,
    client_reference: '{{$uuid}}',
    payment_uuid: '{{$randomInt 100000000 999999999}}',
    payment_reference: 'TEST-{{$random.alphanumeric(10)}}',
  },
};

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
      : { path: paths[0]!, body: bodies[operation], operation };
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
