/** The three products that a token can be scoped to. @source payments-service-interface, parts 1 and 5.3 */
export const products = ['payout', 'remittance', 'collection'] as const;
export type Product = (typeof products)[number];

/**
 * Tells whether this text names a product. A product is also the operation that begins a payment of it.
 */
export function isProduct(value: unknown): value is Product {
  return (products as readonly unknown[]).includes(value);
}
