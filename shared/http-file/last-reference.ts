import { ownValue } from '../own-value';
import { products, type Product } from '../payments/tables/products';

/** The variable that stands for the reference of the payment sent last. */
export const lastReference = 'last_reference';

const token = /\{\{\s*token\.([a-z]+)\s*\}\}/;

/** Tells whose token a request carries, as its headers are written; null: none, or one that nobody knows. */
export function findTokenProduct(headers: readonly { readonly value: string }[]): Product | null {
  const found = headers.map(({ value }) => token.exec(value)?.[1]).find((one) => one !== undefined);
  return products.find((one) => one === found) ?? null;
}

/**
 * Gives the reference that `{{last_reference}}` stands for in a request with the token of a product.
 *
 * That of the product's own last payment: the service refuses to tell one product of the payments of another. Without a token,
 * or where nobody noted products, it is the very last.
 * @returns undefined: there is none, or none of this product
 */
export function findLastReference(
  {
    variables,
    lastReferences = {},
  }: {
    readonly variables: Readonly<Record<string, string>>;
    readonly lastReferences?: Readonly<Partial<Record<Product, string>>> | undefined;
  },
  product: Product | null,
): string | undefined {
  const latest = ownValue(variables, lastReference);
  // One that somebody wrote into an environment by hand is none of those that were sent.
  const isNoted = latest !== undefined && Object.values(lastReferences).includes(latest);
  return product === null || !isNoted ? latest : lastReferences[product];
}
