import type { SendInput } from '@shared/contract/sending';
import { AppError } from '@shared/errors';

/** Gives scheme, host and port of an address; null: it is none that a request can go to. */
function readOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

const hostOf = (origin: string): string => new URL(origin).host.toLowerCase();

/**
 * Keeps tokens and signatures with the service they are for.
 *
 * Every request that the back end fills in goes through here: a file's own address, a variable or another environment
 * cannot lead what belongs to one service to another. Scheme and port count: https turned into http is another place.
 * @param environment - whose token or key is asked for
 * @throws {AppError} `sending.foreign_host` with both addresses; `sending.bad_url`
 */
export function refuseForeignHost(
  { url, allowHosts = [] }: Pick<SendInput, 'url' | 'allowHosts'>,
  environment: { name: string; baseUrl: string },
): void {
  const target = readOrigin(url);
  if (target === null) {
    throw new AppError(
      'sending.bad_url',
      'This address cannot be used: write it whole, with http:// or https:// and a host.',
      {
        details: { url },
      },
    );
  }
  const own = readOrigin(environment.baseUrl);
  if (target === own) return;
  const host = hostOf(target);
  if (allowHosts.some((allowed) => allowed.toLowerCase() === host)) return;
  const home = own === null ? 'no address' : own;
  throw new AppError(
    'sending.foreign_host',
    `Nothing was sent: this request takes a token or signature of '${environment.name}' (${home}) to ${target}. ` +
      `Use {{base_url}} for the address, or allow ${host} (--allow-host ${host} on the command line).`,
    { details: { environment: environment.name, home, target, host } },
  );
}
