import type { Product } from '@shared/payments/tables/products';

/** What a sandbox prints, or hands over, when it is ready. */
export interface ServiceAccess {
  baseUrl: string;
  consumerKey: string;
  consumerSecret: string;
}

/** The same, as the command line prints it. */
export function accessOf(ready: {
  base_url: string;
  consumer_key: string;
  consumer_secret: string;
}): ServiceAccess {
  return {
    baseUrl: ready.base_url,
    consumerKey: ready.consumer_key,
    consumerSecret: ready.consumer_secret,
  };
}

/**
 * Fetches an access token of one product, as a client of the service would.
 *
 * @throws {Error} with the answer's text where the service gives none
 */
export async function fetchToken(access: ServiceAccess, product: Product): Promise<string> {
  const response = await fetch(`${access.baseUrl}/auth/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      consumer_key: access.consumerKey,
      consumer_secret: access.consumerSecret,
      product,
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`No token: HTTP ${response.status} ${text}`);
  return (JSON.parse(text) as { access_token: string }).access_token;
}
