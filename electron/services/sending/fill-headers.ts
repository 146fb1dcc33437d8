import type { HeaderList } from '@shared/contract/common';
import type { SendInput } from '@shared/contract/sending';
import { findHeader } from '@shared/find-header';
import { readStringToSign, type StringToSign } from '@shared/signing/string-to-sign';
import { isProduct, type Product } from '@shared/payments/tables/products';
import { maskHeader } from '@shared/mask-secrets';
import { maskSecret } from '@shared/secrets';
import { errorsOf } from '../errors-of';
import { findForeignHost } from '@shared/http-file/host-binding';
import type { KeySource } from '../signing/key-source';
import { signTextAside } from '../../platform/crypto/rsa-signatures';

const SendingError = errorsOf<'sending.send'>();

/** What only the back end may put into a header. */
const PLACEHOLDER = /\{\{\s*(token\.([a-z]+)|signature)\s*\}\}/g;
const SIGNATURE_HEADER = 'x-custom-signature';
/** A shorter one stands in other words by chance. */
const SHORTEST_SECRET = 8;

export interface FillDeps {
  keys: Pick<KeySource, 'getSigningKey'>;
  getBearer(environment: string, product: Product, options?: { isForced?: boolean }): Promise<string>;
  /** What the service was given, by this request or an earlier one: it may send it back. */
  listKnownSecrets(environment: string): Promise<string[]>;
  /** @throws {AppError} `environments.unknown` */
  getEnvironment(id: string): { label: string; baseUrl: string; id?: string };
  /** What the request proves itself with, as it was typed. */
  ownSecrets: readonly string[];
}

/** Headers ready to leave, and what may be shown and kept of them. */
export interface FilledHeaders {
  headers: [string, string][];
  /** Tokens masked. */
  shown: HeaderList;
  /** Texts that must not appear in anything kept: the tokens, whatever else the service was given, and what was typed. */
  secrets: string[];
  /** Products whose token was put in. */
  products: Product[];
  stringToSign: StringToSign | null;
  signature: string | null;
  keyFingerprint: string | null;
}

/**
 * Fills `{{token.X}}` and `{{signature}}` in header values.
 *
 * The signature covers the body as given: the same text whose UTF-8 bytes are sent.
 * @param isForced - fetches new tokens: the cached ones were refused
 * @throws {AppError} `signing.*`, `keys.*`, `tokens.*`, `vault.*`; `sending.unresolved` where a variable is left,
 *   `sending.foreign_host` where the request goes elsewhere than to its environment
 */
export async function fillHeaders(
  input: SendInput,
  deps: FillDeps,
  isForced: boolean,
): Promise<FilledHeaders> {
  const needed = findPlaceholders(input.headers);
  refuseUnresolved(input.headers);
  if (needed.isSigned || needed.products.length > 0) {
    const refusal = findForeignHost(input, deps.getEnvironment(input.environment));
    if (refusal !== null) throw refusal;
  }
  const signed = needed.isSigned ? await sign(input, deps) : null;
  const tokens = new Map<Product, string>();
  for (const product of needed.products) {
    tokens.set(product, await deps.getBearer(input.environment, product, { isForced }));
  }
  const known = await deps.listKnownSecrets(input.environment);
  const others = [...known, ...deps.ownSecrets, ...(input.secretValues ?? [])].filter(
    ({ length }) => length >= SHORTEST_SECRET,
  );
  const fill = (value: string, tokenOf: (product: Product) => string): string =>
    value.replace(PLACEHOLDER, (whole, name: string, product: string | undefined) =>
      name === 'signature' ? (signed?.signature ?? whole) : isProduct(product) ? tokenOf(product) : whole,
    );
  const headers = input.headers.map(([name, value]): [string, string] => [
    name,
    fill(value, (product) => tokens.get(product) ?? ''),
  ]);
  // As it leaves: a word typed beside the placeholder is what a refusal is about.
  const sentSignature = findHeader(headers, SIGNATURE_HEADER);
  return {
    headers,
    shown: input.headers.map(([name, value]) => [
      name,
      maskHeader(
        name,
        fill(value, (product) => maskSecret(tokens.get(product) ?? '')),
      ),
    ]),
    secrets: [...new Set([...tokens.values(), ...others])],
    products: needed.products,
    stringToSign: signed?.string ?? (sentSignature === null ? null : tryReadString(input.body)),
    signature: sentSignature ?? signed?.signature ?? null,
    keyFingerprint: signed?.keyFingerprint ?? null,
  };
}

/** Finds what the back end is to put into headers. */
export function findPlaceholders(headers: HeaderList): { products: Product[]; isSigned: boolean } {
  const products = new Set<Product>();
  let isSigned = false;
  for (const [, value] of headers) {
    for (const [, name, product] of value.matchAll(PLACEHOLDER)) {
      if (name === 'signature') isSigned = true;
      else if (isProduct(product)) products.add(product);
    }
  }
  return { products: [...products], isSigned };
}

function refuseUnresolved(headers: HeaderList): void {
  for (const [name, value] of headers) {
    const left = /\{\{[^{}]*\}\}/.exec(
      value.replace(PLACEHOLDER, (whole, _name, product: string | undefined) =>
        product === undefined || isProduct(product) ? '' : whole,
      ),
    );
    if (left === null) continue;
    throw new SendingError(
      'sending.unresolved',
      `${left[0]} in the header ${name} has no value. Give it one in the environment; tokens are {{token.payout}}, {{token.remittance}} and {{token.collection}}.`,
      { details: { header: name, variable: left[0] } },
    );
  }
}

async function sign(
  { environment, keyId, overrideConfirmation, body }: SendInput,
  { keys }: FillDeps,
): Promise<{ string: StringToSign; signature: string; keyFingerprint: string }> {
  const string = readStringToSign(body ?? '');
  const key = await keys.getSigningKey(environment, keyId, overrideConfirmation);
  return {
    string,
    signature: await signTextAside(string.text, key.privateKey),
    keyFingerprint: key.fingerprint,
  };
}

/** A signature that was typed in is shown beside the string it should cover, where that can be read. */
function tryReadString(body: string | null): StringToSign | null {
  try {
    return readStringToSign(body ?? '');
  } catch {
    return null;
  }
}
