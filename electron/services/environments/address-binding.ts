import type { Environment, EnvironmentRecord } from '@shared/contract/environments';
import type { AppError } from '@shared/errors';
import { errorsOf } from '../errors-of';
import { isUnencrypted } from './base-url';

const EnvironmentsError = errorsOf<'environments'>();

export type AddressChange = NonNullable<Environment['addressChange']>;

/** What secrets are bound to: scheme, host and port of a base address; empty where it has none. */
export function readAddress(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
}

/** Tells whether a request goes to the address of an environment. */
export function isAddressOf(url: string, baseUrl: string): boolean {
  return URL.canParse(url) && readAddress(url) === readAddress(baseUrl);
}

/**
 * Tells whether an environment's secrets were kept for another address than it has now.
 *
 * @param boundTo - the address that they were kept for; null: not known
 * @returns null where they may go there, or where there are none
 */
export function findAddressChange(
  { source, baseUrl }: EnvironmentRecord,
  holdsSecrets: boolean,
  boundTo: string | null,
): AddressChange | null {
  if (!holdsSecrets || isOwnWord({ source })) return null;
  const to = readAddress(baseUrl);
  return boundTo === to ? null : { from: boundTo || null, to };
}

/** The app itself says where its sandbox is; an address on the command line is the user's own word. */
export function isOwnWord({ source }: Pick<EnvironmentRecord, 'source'>): boolean {
  return source === 'builtin' || source === 'run';
}

/** Says that nothing is sent because the address changed, and what to do. */
export function addressChanged(
  { id, name, label, source }: EnvironmentRecord,
  { from, to }: AddressChange,
): AppError {
  const now = to === '' ? 'has no address now' : `is at ${to} now`;
  const said =
    from === null
      ? `What is kept for '${label}' is bound to no address, and it ${now}.`
      : `What is kept for '${label}' is for ${from}, and it ${now}.`;
  const back = source === 'collection' ? 'put base_url back in http-client.env.json' : 'put its address back';
  return new EnvironmentsError(
    'environments.address_changed',
    `${said} Nothing was sent. If the new address is right, bind key and credentials to it in the app ` +
      `(view Environments); if not, ${back}.`,
    { details: { environment: id, name, from, to } },
  );
}

/** @throws {AppError} `environments.insecure` where production would be spoken to unencrypted, whoever defines it */
export function refuseInsecure({
  kind,
  baseUrl,
  source,
}: Pick<EnvironmentRecord, 'kind' | 'baseUrl' | 'source'>) {
  if (kind !== 'production' || !isUnencrypted(baseUrl)) return;
  const where = source === 'collection' ? ' Change base_url in http-client.env.json.' : '';
  throw new EnvironmentsError(
    'environments.insecure',
    `A production address must begin with https://: over http, tokens could be read on the way.${where}`,
  );
}
