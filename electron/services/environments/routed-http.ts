import type { HttpClient, HttpConnection } from '../../platform/ports';
import type { Destination } from './environment-setups';

/**
 * Sends each call the way that its environment asks for: through its proxy, with its issuers and certificate.
 *
 * The one place where calls and connections come together: whoever sends for an environment names it and no more.
 */
export function createRoutedHttp(
  http: HttpClient,
  connect: (environment: Destination, url: string) => Promise<HttpConnection | null>,
): HttpClient {
  return async (call) => {
    const { environment, ...rest } = call;
    if (environment === undefined) return http(call);
    return http({ ...rest, connection: await connect(environment, call.url) });
  };
}
