const remittance = {
  transaction: {
    reference: 'INV-2026-0042',
    amount: 1500,
    currency: 'KES',
    description: 'Family support',
    service_code: 'MPESA-KE',
    timestamp: '2026-11-21 10:00:00',
  },
  originator: {
    originator_type: 'Individual',
    first_name: 'Jane',
    other_names: 'Wanjiku Doe',
    dob: '1990-01-01',
    nationality: 'KE',
    id_type: 'PASSPORT',
    id_number: 'A1234567',
    address: '1 River Road',
    msisdn: '254711000000',
    channel: 'API',
    country: 'KE',
    purpose: 'Family support',
  },
  recipient: {
    recipient_type: 'Individual',
    first_name: 'John',
    other_names: 'Otieno',
    address: 'Kampala Road 4',
    msisdn: '256700000000',
    country: 'UG',
    relationship: 'Brother',
    account_type: 'MOMO',
    account: '256700000000',
  },
  callback_url: 'https://example.com/callbacks/payments',
};

/** Bodies that are measured: a remittance as the app writes it and as code sends it, and one of 1 MB. */
export function makeBodies(): { pretty: string; minified: string; megabyte: string } {
  const rows = Array.from({ length: 8000 }, (_, id) => ({
    id,
    name: `row number ${id}`,
    price: id * 1.5,
    tags: ['a', 'b'],
    note: 'Lorem ipsum dolor sit amet, consectetur adipiscing',
  }));
  return {
    pretty: JSON.stringify(remittance, null, 2),
    minified: JSON.stringify(remittance),
    megabyte: JSON.stringify({ ...remittance, meta: { rows } }),
  };
}

/** A body laid out in lines, rows cut off so that it is as long as the other, and JSON still. */
export function shortenRows(megabyte: string): string {
  const rows = JSON.parse(megabyte) as { meta: { rows: unknown[] } };
  const { length } = JSON.stringify(rows, null, 1);
  rows.meta.rows.length = Math.floor((rows.meta.rows.length * 1_000_000) / length);
  return JSON.stringify(rows, null, 1);
}
