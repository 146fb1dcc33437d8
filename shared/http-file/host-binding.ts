import { localEnvironmentId } from '../contract/environment-id';
import { AppError } from '../errors';
import { rememberShort } from '../remember-short';

/** Gives scheme, host and port of an address; null: it is none that a request can go to. */
const readOrigin = rememberShort((address): string | null => {
  if (!URL.canParse(address)) return null;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
});

interface Destination {
  readonly url: string;
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly allowHosts?: readonly string[] | undefined;
}

/**
 * Keeps tokens and signatures with the service they are for.
 *
 * Every request that the back end fills in goes through here: a file's own address, a variable or another environment
 * cannot lead what belongs to one service to another. Scheme and port count: https turned into http is another place. So does
 * a `Host` header: what stands in front of several services goes by it.
 * @param environment - whose token or key is asked for
 * @returns null: it may go; else `sending.foreign_host` with both addresses, or `sending.bad_url`
 */
export function findForeignHost(
  { url, headers = [], allowHosts = [] }: Destination,
  environment: { label: string; baseUrl: string; id?: string },
): AppError | null {
  const target = readOrigin(url);
  if (target === null) {
    const message = 'This address cannot be used: write it whole, with http:// or https:// and a host.';
    return new AppError('sending.bad_url', message, { details: { url } });
  }
  const home = readOrigin(environment.baseUrl);
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'host')
    .map(([, host]) => nameHost(target, host));
  const nameAllowed = (one: string): string => nameForAllowing(one, home);
  const foreign = [target, ...named].find(
    (one) => one !== home && !allowHosts.some((allowed) => allowed.toLowerCase() === nameAllowed(one)),
  );
  if (foreign === undefined) return null;
  const host = nameAllowed(foreign);
  const way = foreign === target ? 'Use {{base_url}} for the address' : 'Take out its Host header';
  const message =
    home === null
      ? `Nothing was sent: ${describeHomeless(environment)}`
      : `Nothing was sent: this request takes a token or signature of '${environment.label}' (${home}) to ${foreign}. ` +
        `${way}, or allow ${host} (--allow-host ${host} on the command line).`;
  const details = { environment: environment.label, home, target: foreign, host };
  return new AppError('sending.foreign_host', message, { details });
}

function describeHomeless({ id, label, baseUrl }: { id?: string; label: string; baseUrl: string }): string {
  return id === localEnvironmentId && baseUrl === ''
    ? 'the local sandbox does not run, and a token or signature goes nowhere else. Start it, and try again.'
    : `'${label}' has no base address, and a token or signature goes nowhere else. Set it (base_url) and try again.`;
}

/** Gives the origin that a `Host` header asks for; as it stands where it names none. */
function nameHost(target: string, host: string): string {
  return readOrigin(`${new URL(target).protocol}//${host.trim()}`) ?? host;
}

/**
 * Gives what a host is allowed by: its name and port; with `http://` before it where that takes off the encryption that the
 * environment has.
 */
function nameForAllowing(origin: string, home: string | null): string {
  if (!URL.canParse(origin)) return origin;
  const { protocol, host } = new URL(origin);
  const isDowngrade = protocol === 'http:' && home?.startsWith('https:') === true;
  return isDowngrade ? `http://${host}` : host;
}
