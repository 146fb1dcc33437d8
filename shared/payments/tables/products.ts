/** The three products that a token can be scoped to. @source payments-service-interface, parts 1 and 5.3 */
export const productNames = ['payout', 'remittance', 'collection'] as const;
export type ProductName = (typeof productNames)[number];

/** What a product is for, in words for a person. */
export const products: Readonly<Record<ProductName, { readonly label: string; readonly note: string }>> = {
  payout: { label: 'Payout', note: 'Disburses funds from the wallet to a recipient.' },
  remittance: {
    label: 'Remittance',
    note: 'Pays across a border, to a mobile-money wallet or a bank account.',
  },
  collection: { label: 'Collection', note: 'Takes a payment that a customer initiates on a hosted page.' },
};

/** Tells whether this text names a product. */
export function isProductName(value: unknown): value is ProductName {
  return value === 'payout' || value === 'remittance' || value === 'collection';
}
