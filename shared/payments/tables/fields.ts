import { products } from './products';
import { paymentStates, webhookStatuses } from './states';

/** Rules of a text value beyond being text. */
export type TextFormat =
  /** An absolute http or https address. */
  | 'uri'
  /** As `uri`; https, or http to this machine and to hosts allowed by name. */
  | 'callback_uri'
  /** Digits with the country prefix, no plus sign. */
  | 'msisdn'
  /** A day of the calendar, `YYYY-MM-DD`. */
  | 'date'
  /** ISO 4217, upper case. */
  | 'currency'
  /** ISO 3166-1, two or three letters, upper case. */
  | 'country'
  /** `YYYY-MM-DD HH:mm:ss`, or the ISO form with `Z` (assumption A9). */
  | 'remittance_timestamp'
  /** ISO 8601 UTC, ending in `Z`. */
  | 'payout_timestamp'
  | 'email';

/** One field of a request body. */
export interface FieldRule {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'object';
  readonly isRequired: boolean;
  readonly format?: TextFormat;
  /** The only values that are taken. */
  readonly allowed?: readonly string[];
  /** Values that the interface gives as examples; others are taken, too. */
  readonly examples?: readonly string[];
  /** The only values that are taken, by the value of a field beside it; any of them where that one is absent. */
  readonly allowedBy?: {
    readonly sibling: string;
    readonly values: Readonly<Record<string, readonly string[]>>;
  };
  /** Meant for one value of a field beside it; elsewhere it is out of place, and there its lack is worth a word. */
  readonly meantFor?: { readonly sibling: string; readonly value: string };
  /** Fields of an object; an object without them is free-form. */
  readonly fields?: readonly FieldRule[];
  /** Each payment has its own: what is sent again under the same one is the same payment. */
  readonly isIdempotencyKey?: true;
  readonly note: string;
}

export const partyTypes = ['Individual', 'Corporate'] as const;
export const accountTypes = ['MOMO', 'BANK'] as const;
const channels = ['USSD', 'API'] as const;

/** Identity documents by the type of the party. @source payments-service-interface, part 2.1 */
export const idTypes = {
  Individual: ['DRIVING-LICENSE', 'PASSPORT', 'NATIONAL-ID', 'ALIEN-ID', 'MILITARY-ID'],
  Corporate: ['CERTIFICATE-OF-INCORPORATION', 'REGISTRATION-NUMBER', 'CR12'],
} as const;

type Extra = Partial<
  Pick<
    FieldRule,
    'format' | 'allowed' | 'examples' | 'allowedBy' | 'meantFor' | 'isIdempotencyKey' | 'fields'
  >
>;

function must(name: string, note: string, extra: Extra = {}): FieldRule {
  return { name, type: 'string', isRequired: true, note, ...extra };
}

function may(name: string, note: string, extra: Extra = {}): FieldRule {
  return { name, type: 'string', isRequired: false, note, ...extra };
}

function forCompany(sibling: string): Extra {
  return { meantFor: { sibling, value: 'Corporate' } };
}

function object(name: string, note: string, fields: readonly FieldRule[]): FieldRule {
  return { name, type: 'object', isRequired: true, note, fields };
}

const amount: FieldRule = {
  name: 'amount',
  type: 'integer',
  isRequired: true,
  note: 'Whole major currency units, above zero',
};
const currency = must('currency', 'ISO 4217 code', { format: 'currency' });
const reference = must('reference', 'The client’s unique reference: the idempotency key', {
  isIdempotencyKey: true,
});
const callbackUrl = must('callback_url', 'HTTPS address that receives the final outcome', {
  format: 'callback_uri',
});
const meta: FieldRule = {
  name: 'meta',
  type: 'object',
  isRequired: false,
  note: 'Free-form keys and values, echoed in webhooks',
};

function transactionFields(serviceNote: string, timestamp: FieldRule): readonly FieldRule[] {
  return [
    reference,
    amount,
    currency,
    must('description', 'Short narrative'),
    must('service_code', serviceNote),
    timestamp,
  ];
}

/** Body of the remittance initiation. @source payments-service-interface, part 2.1 */
export const remittanceFields: readonly FieldRule[] = [
  object(
    'transaction',
    'What is paid',
    transactionFields(
      'Code of the corridor or payout rail',
      must('timestamp', '`YYYY-MM-DD HH:mm:ss`, read as UTC; the ISO form with `Z` is taken too', {
        format: 'remittance_timestamp',
      }),
    ),
  ),
  object('originator', 'Who sends', [
    may('originator_type', 'A person or a company', { allowed: partyTypes }),
    may('first_name', 'First name'),
    may('other_names', 'Other or last names'),
    may('dob', 'Day of birth', { format: 'date' }),
    must('nationality', 'Nationality'),
    may('id_type', 'Kind of identity document, by the type of the originator', {
      allowedBy: { sibling: 'originator_type', values: idTypes },
    }),
    may('id_number', 'Number of the identity document'),
    may('id_expiry_date', 'Day on which the document expires', { format: 'date' }),
    must('address', 'Address'),
    may('company_name', 'Name of the company, for Corporate originators', forCompany('originator_type')),
    may(
      'company_registration',
      'Registration of the company, for Corporate originators',
      forCompany('originator_type'),
    ),
    may('service_provider', 'Name of the sending provider, where the corridor asks for it'),
    must('msisdn', 'Phone number with country prefix, digits only', { format: 'msisdn' }),
    may('channel', 'Where it was initiated, such as USSD or API', { examples: channels }),
    must('country', 'ISO-2 or ISO-3 code; part of the signed string', { format: 'country' }),
    must('purpose', 'Why the money is sent'),
  ]),
  object('recipient', 'Who receives', [
    may('recipient_type', 'A person or a company', { allowed: partyTypes }),
    may('first_name', 'First name'),
    may('other_names', 'Other or last names'),
    may('id_type', 'Kind of identity document, by the type of the recipient', {
      allowedBy: { sibling: 'recipient_type', values: idTypes },
    }),
    may('id_number', 'Number of the identity document'),
    may('id_expiry_date', 'Day on which the document expires', { format: 'date' }),
    may('dob', 'Day of birth', { format: 'date' }),
    must('address', 'Address'),
    may('company_name', 'Name of the company, for Corporate recipients', forCompany('recipient_type')),
    may(
      'company_registration',
      'Registration of the company, for Corporate recipients',
      forCompany('recipient_type'),
    ),
    may('msisdn', 'Phone number with country prefix; not empty where it is given', { format: 'msisdn' }),
    must('country', 'ISO-2 or ISO-3 code', { format: 'country' }),
    may('nationality', 'Nationality'),
    must('relationship', 'How the recipient relates to the originator'),
    may('reference', 'The client’s reference for the recipient'),
    must('account_type', 'Mobile money or bank', { allowed: accountTypes }),
    must('account', 'Phone, wallet or bank account of the recipient'),
    may('bank_code', 'Code of the bank, for BANK accounts', {
      meantFor: { sibling: 'account_type', value: 'BANK' },
    }),
  ]),
  callbackUrl,
  meta,
];

/** Body of the payout initiation. @source payments-service-interface, part 2.2 */
export const payoutFields: readonly FieldRule[] = [
  object(
    'transaction',
    'What is paid',
    transactionFields(
      'Service to use',
      must('timestamp', 'ISO 8601 in UTC, ending in `Z`', { format: 'payout_timestamp' }),
    ),
  ),
  object('originator', 'Who sends', [
    must('msisdn', 'Phone number with country prefix, digits only', { format: 'msisdn' }),
    must('channel', 'Where it was initiated, such as USSD or API', { examples: channels }),
    must('country', 'ISO 3166-1 code; part of the signed string', { format: 'country' }),
    must('name', 'Name of the originator'),
    must('purpose', 'Why the money is paid'),
  ]),
  object('recipient', 'Who receives', [
    must('reference', 'The client’s reference on the recipient’s side'),
    must('account', 'Phone, wallet or bank account of the recipient'),
    must('name', 'Full name of the recipient'),
    must('destination_code', 'Destination code of the corridor or payout rail'),
  ]),
  callbackUrl,
  meta,
];

/** Body of the collection request. @source assumption A2 */
export const collectionFields: readonly FieldRule[] = [
  object('transaction', 'What is asked for', [
    reference,
    amount,
    currency,
    must('description', 'Short narrative, shown on the checkout page'),
  ]),
  object('customer', 'Who pays', [
    must('name', 'Name of the customer'),
    may('msisdn', 'Phone number with country prefix; not empty where it is given', { format: 'msisdn' }),
    may('email', 'Email address of the customer', { format: 'email' }),
  ]),
  callbackUrl,
  may('redirect_url', 'Where the customer’s browser goes afterwards', { format: 'uri' }),
  meta,
];

/** Body of the status query, of which exactly one is sent. @source payments-service-interface, part 4.3 */
export const statusQueryFields: readonly FieldRule[] = [
  may('transaction_reference', 'The client’s reference at creation'),
  may('request_uuid', 'Request UUID that the platform returned'),
  may('payment_uuid', 'Numeric text'),
];

/** Body of the simulator's request. @source payments-service-interface, part 4.5 */
export const sendTestFields: readonly FieldRule[] = [
  must('callback_url', 'Address that receives the simulated webhook', { format: 'uri' }),
  may('status', 'Such as SUCCESS', { examples: Object.values(webhookStatuses) }),
  may('code', 'Code that the webhook carries'),
  { name: 'amount', type: 'number', isRequired: false, note: 'Amount that the webhook carries' },
  may('client_reference', 'The client’s reference'),
  may('payment_uuid', 'Payment UUID'),
  may('payment_reference', 'The service’s reference of the payment'),
  { name: 'metadata', type: 'object', isRequired: false, note: 'Free-form' },
];

/** Body of the token request. @source assumption A1 */
export const tokenFields: readonly FieldRule[] = [
  must('consumer_key', 'Consumer key of the account'),
  must('consumer_secret', 'Consumer secret of the account'),
  must('product', 'Product that the token is for', { allowed: products }),
];

/** Request bodies of the operations that are checked field by field. */
export const initiationFields = {
  remittance: remittanceFields,
  payout: payoutFields,
  collection: collectionFields,
} as const;
export type InitiationName = keyof typeof initiationFields;

/** One field of an answer or of a webhook. */
export interface AnswerField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'object';
  readonly isRequired: boolean;
  readonly isNullable?: boolean;
  readonly allowed?: readonly string[];
  readonly format?: 'utc' | 'numeric' | 'currency' | 'uri';
  readonly note: string;
}

function says(name: string, type: AnswerField['type'], note: string, extra: Partial<AnswerField> = {}) {
  return { name, type, isRequired: true, note, ...extra } satisfies AnswerField;
}

/** `data` of an accepted initiation. @source payments-service-interface, part 2.3 */
export const acceptanceData: readonly AnswerField[] = [
  says('amount', 'number', 'Amount accepted'),
  says('transaction_reference', 'string', 'The client’s reference'),
  says('payment_uuid', 'string', 'Numeric text', { format: 'numeric' }),
  says('payment_reference', 'string', 'The service’s reference, never the payment UUID'),
  says('time_received', 'string', 'ISO 8601 in UTC, ending in `Z`', { format: 'utc' }),
];

/** `data` of a status query. @source payments-service-interface, part 2.4 */
export const statusData: readonly AnswerField[] = [
  says('transaction_reference', 'string', 'The client’s reference'),
  says('payment_reference', 'string', 'The service’s reference; never to be sent as `payment_uuid`'),
  says('payment_uuid', 'string', 'Numeric text', { format: 'numeric' }),
  says('amount', 'number', 'Amount'),
  says('total_charges', 'number', 'Charges'),
  says('total_amount', 'number', 'Amount and charges'),
  says('state', 'string', 'State of the payment', { allowed: paymentStates }),
  says('time_received', 'string', 'ISO 8601 in UTC', { format: 'utc' }),
  says('last_updated', 'string', 'ISO 8601 in UTC', { format: 'utc' }),
];

/** One element of `results` of the balances. @source payments-service-interface, part 2.5 */
export const walletRecord: readonly AnswerField[] = [
  says('currency', 'string', 'ISO 4217, upper case', { format: 'currency' }),
  says('actual_balance', 'number', 'Ledger balance'),
  says('available_balance', 'number', 'What can be spent after holds'),
  says('alert_limit', 'number', 'Low-balance threshold, if any', { isRequired: false, isNullable: true }),
  says('status', 'string', 'State of the wallet', { allowed: ['ACTIVE', 'INACTIVE', 'SUSPENDED'] }),
];

/** Body of a webhook. @source assumption A3 */
export const webhookFields: readonly AnswerField[] = [
  says('status', 'string', 'Final outcome: SUCCESS, FAILED or CANCELED'),
  says('code', 'string', 'Application code'),
  says('amount', 'number', 'Amount'),
  says('client_reference', 'string', 'The client’s reference'),
  says('payment_uuid', 'string', 'Numeric text'),
  says('payment_reference', 'string', 'The service’s reference'),
  says('metadata', 'object', '`meta` of the request', { isNullable: true }),
];
