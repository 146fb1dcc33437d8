import { encodeForUrl } from '../encode-for-url';
import type { Product } from '../payments/tables/products';
import { findExpression, plainName } from './find-expression';

/**
 * How a variable says that its value lies in the vault: `{{vault.api_key}}`.
 *
 * Settings, previews, drafts and exports hold this text alone; only the back end puts the value in its place, as it does
 * with tokens. `{{%vault.api_key}}` asks for the value encoded for a URL.
 */

const reference = /\{\{\s*(%?)vault\.([^{}\r\n]+)[\r\n]*\}\}/g;
const expression = /^%?vault\.[^{}\r\n]+$/;

/** Writes the reference to a variable of this name. */
export function writeVaultReference(name: string): string {
  return `{{vault.${name}}}`;
}

/** What a token is asked for with, and goes by these names in a request. */
const credentialReference = /(\{\{\s*%?vault\.)(consumer_(?:key|secret)\s*\}\})/g;

/** Writes the name of the consumer key or secret that tokens of one product are asked for with, where each has its own. */
export const nameCredential = (product: Product, name: string): string => `${product}_${name}`;

/** Says in each reference to a consumer key or secret whose is meant. */
export function nameProductInReferences(text: string, product: Product): string {
  return text.replace(
    credentialReference,
    (_whole, start: string, name: string) => start + nameCredential(product, name),
  );
}

/** Tells whether what stands between two braces asks for a value of the vault. */
export function isVaultExpression(name: string): boolean {
  return expression.test(name);
}

/** Lists the names that a text asks the vault for. */
export function listVaultReferences(text: string): string[] {
  return [...text.matchAll(reference)].map(([, , name = '']) => name.trimEnd());
}

/** Puts values in the place of their references; `find` gives a value by its name. */
export function fillVaultReferences(text: string, find: (name: string) => string): string {
  return text.replace(reference, (_whole, encoded: string, name: string) =>
    encoded === '' ? find(name.trimEnd()) : encodeForUrl(find(name.trimEnd())),
  );
}

/** Encodes a text for a URL, apart from what is still to be filled in: it is encoded once it is there. */
export function encodeAroundReferences(text: string): string {
  let encoded = '';
  let copied = 0;
  for (const { 0: whole, 2: name, index } of text.matchAll(reference)) {
    encoded += `${encodeAroundExpressions(text.slice(copied, index))}{{%vault.${name!.trimEnd()}}}`;
    copied = index + whole.length;
  }
  return encoded + encodeAroundExpressions(text.slice(copied));
}

function encodeAroundExpressions(text: string): string {
  let encoded = '';
  let copied = 0;
  for (let found = findExpression(text, 0); found !== null; found = findExpression(text, found.end)) {
    encoded += `${encodeForUrl(text.slice(copied, found.start))}{{%${plainName(found.name)}}}`;
    copied = found.end;
  }
  return encoded + encodeForUrl(text.slice(copied));
}
