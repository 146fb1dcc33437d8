import { operations, type OperationName } from '../payments/tables/operations';
import type { Product } from '../payments/tables/products';
import { printHttpRequest } from './edit-http-file';

/** What a new request of an operation sends: complete, and taken by the checks of the interface as it stands. */
const bodies: Readonly<Record<OperationName, object | null>> = {
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
  token: {
    consumer_key: '{{vault.consumer_key}}',
    consumer_secret: '{{vault.consumer_secret}}',
    product: 'payout',
  },
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

/**
 * Writes the file of a new request: address, headers, token and a valid body of its operation.
 *
 * @param request.product - whose token it is sent with, or asks for; one that the operation does not take gives way to its first
 * @source payments-service-interface, parts 2 and 4
 */
export function writeNewRequest(request: {
  name: string;
  operation: OperationName;
  product?: Product | null;
}): string {
  const { name, operation } = request;
  const { method, paths, products, isSigned } = operations[operation];
  const product = products.find((one) => one === request.product) ?? products[0];
  const usual = bodies[operation];
  const asked = operation === 'token' ? request.product : null;
  const body = usual !== null && asked ? { ...usual, product: asked } : usual;
  return printHttpRequest({
    name,
    operation,
    method,
    url: `{{base_url}}${paths[0]}`,
    headers: [
      ...(product === undefined ? [] : [['Authorization', `Bearer {{token.${product}}}`] as const]),
      ...(isSigned ? [['X-Custom-Signature', '{{signature}}'] as const] : []),
      ...(body === null ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body: body === null ? null : JSON.stringify(body, null, 2),
  });
}
