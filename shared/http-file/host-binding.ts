import { AppError } from '../errors';

/** Gives scheme, host and port of an address; null: it is none that a request can go to. */
function readOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

/**
 * Keeps tokens and signatures with the service they are for.
 *
 * Every request that the back end fills in goes through here: a file's own address, a variable or another environment
 * cannot lead what belongs to one service to another. Scheme and port count: https turned into http is another place.
 * @param environment - whose token or key is asked for
 * @returns null: it may go; else `sending.foreign_host` with both addresses, or `sending.bad_url`
 */
export function findForeignHost(
  { url, allowHosts = [] }: { url: string; allowHosts?: readonly string[] | undefined },
  environment: { name: string; baseUrl: string },
): AppError | null {
  const target = readOrigin(url);
  if (target === null) {
    const message = 'This address cannot be used: write it whole, with http:// or https:// and a host.';
    return new AppError('sending.bad_url', message, { details: { url } });
  }
  const home = readOrigin(environment.baseUrl);
  if (target === home) return null;
  const { host } = new URL(target);
  if (allowHosts.some((allowed) => allowed.toLowerCase() === host)) return null;
  return new AppError(
    'sending.foreign_host',
    `Nothing was sent: this request takes a token or signature of '${environment.name}' (${home ?? 'no address'}) to ${target}. ` +
      `Use {{base_url}} for the address, or allow ${host} (--allow-host ${host} on the command line).`,
    { details: { environment: environment.name, home, target, host } },
  );
}
