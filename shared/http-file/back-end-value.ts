import { products } from '../payments/tables/products';

const names: ReadonlySet<string> = new Set(['signature', ...products.map((product) => `token.${product}`)]);

/**
 * Tells whether the back end fills a variable in: the token of a product, or the signature, in headers.
 *
 * Any other name is a variable that somebody gives, `token.payouts` as well: what is nearly right is told before anything is sent.
 */
export function isBackEndValue(name: string): boolean {
  return names.has(name);
}
