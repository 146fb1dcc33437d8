/** A request body as the service takes it, before it is written as JSON. */
export type Body = Record<string, unknown>;

/** Stands for 'leave this field out'. */
export const MISSING = Symbol('missing');

let count = 0;

/** A reference that nothing else in this run has used. */
export function newReference(): string {
  return `ref-${process.pid}-${++count}`;
}

/** Sets fields by their path, such as `recipient.account`; `MISSING` leaves one out. */
export function withChanges(body: Body, changes: Readonly<Record<string, unknown>>): Body {
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop()!;
    const owner = names.reduce<Body>((inner, name) => inner[name] as Body, body);
    if (value === MISSING) Reflect.deleteProperty(owner, last);
    else owner[last] = value;
  }
  return body;
}

/** A remittance with every field of part 2.1, then changed. */
export function remittance(changes: Readonly<Record<string, unknown>> = {}): Body {
  const body: Body = {
    transaction: {
      reference: newReference(),
      amount: 1000,
      currency: 'KES',
      description: 'School fees',
      service_code: 'MPESA',
      timestamp: '2030-01-31 12:00:00',
    },
    originator: {
      originator_type: 'Individual',
      first_name: 'Ann',
      other_names: 'Wanjiru',
      dob: '1990-02-28',
      nationality: 'Kenyan',
      id_type: 'PASSPORT',
      id_number: 'A1234567',
      id_expiry_date: '2032-02-29',
      address: 'Nairobi',
      company_name: 'none',
      company_registration: 'none',
      service_provider: 'Sender Ltd',
      msisdn: '254700000000',
      channel: 'API',
      country: 'KE',
      purpose: 'Education',
    },
    recipient: {
      recipient_type: 'Individual',
      first_name: 'Ben',
      other_names: 'Okello',
      id_type: 'NATIONAL-ID',
      id_number: '1',
      id_expiry_date: '2032-01-01',
      dob: '1985-12-31',
      address: 'Kampala',
      company_name: 'none',
      company_registration: 'none',
      msisdn: '256700000000',
      country: 'UGA',
      nationality: 'Ugandan',
      relationship: 'Brother',
      reference: 'rec-1',
      account_type: 'MOMO',
      account: '256700000000',
      bank_code: '01',
    },
    callback_url: 'https://example.invalid/webhooks',
    meta: { order: 7 },
  };
  return withChanges(body, changes);
}

/** A payout with every field of part 2.2, then changed. */
export function payout(changes: Readonly<Record<string, unknown>> = {}): Body {
  const body: Body = {
    transaction: {
      reference: newReference(),
      amount: 1000,
      currency: 'KES',
      description: 'Wages',
      service_code: 'MPESA',
      timestamp: '2030-01-31T12:00:00Z',
    },
    originator: { msisdn: '254700000000', channel: 'USSD', country: 'KE', name: 'Ann', purpose: 'Wages' },
    recipient: { reference: 'rec-1', account: '254711111111', name: 'Ben', destination_code: 'MPESA' },
    callback_url: 'https://example.invalid/webhooks',
    meta: { order: 7 },
  };
  return withChanges(body, changes);
}

/** A collection of assumption A2, then changed. */
export function collection(changes: Readonly<Record<string, unknown>> = {}): Body {
  const body: Body = {
    transaction: { reference: newReference(), amount: 500, currency: 'KES', description: 'A book' },
    customer: { name: 'Cleo', msisdn: '254722000000', email: 'cleo@example.com' },
    callback_url: 'https://example.invalid/webhooks',
    redirect_url: 'https://shop.example/thanks',
    meta: { cart: 'c-1' },
  };
  return withChanges(body, changes);
}

/** The client's reference of a body. */
export function referenceOf(body: Body): string {
  return (body.transaction as { reference: string }).reference;
}
