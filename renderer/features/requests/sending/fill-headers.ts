import type { HeaderList } from '@shared/contract/common';
import type { Environment } from '@shared/contract/environments';
import { isSignatureVariable, type PreparedRequest } from '@shared/http-file/prepare-request';
import { isProduct, type Product } from '@shared/payments/tables/products';
import { call } from '../../../transport/client';
import type { KeyChoice } from '../requests-store';
import { readKeyInput } from '../signing/key-actions';

const tokenVariable = /\{\{\s*token\.([a-z]+)\s*\}\}/g;
const signatureVariables = /\{\{\s*signature\s*\}\}/g;

/** Puts token and signature into the headers of a request that the user copies: it is to run as pasted. */
export async function fillHeaders(
  { headers, body }: PreparedRequest,
  environment: Environment,
  keyChoice: KeyChoice | null,
): Promise<HeaderList> {
  const signature =
    body !== null && headers.some(([, value]) => isSignatureVariable(value))
      ? await call('signing.sign', {
          environment: environment.id,
          body,
          ...readKeyInput(keyChoice, environment),
        })
      : null;
  const tokens = new Map<Product, string>();
  for (const [, value] of headers) {
    for (const [, product] of value.matchAll(tokenVariable)) {
      if (isProduct(product)) tokens.set(product, await readToken(environment.id, product));
    }
  }
  return headers.map(([name, value]) => [
    name,
    value
      .replace(signatureVariables, (whole) => signature?.signature ?? whole)
      .replace(tokenVariable, (whole, product) =>
        isProduct(product) ? (tokens.get(product) ?? whole) : whole,
      ),
  ]);
}

async function readToken(environment: string, product: Product): Promise<string> {
  await call('tokens.fetch', { environment, product });
  return (await call('tokens.reveal', { environment, product })).token;
}
