import type { ConnectionPart, ConnectionSecrets, EnvironmentSetup } from '@shared/contract/environment-setup';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { localEnvironmentId } from '@shared/contract/environment-id';
import type { HttpConnection } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import { isAddressOf, readAddress } from './address-binding';
import { checkClientKey, checkSetup } from './check-setup';
import type { EnvironmentStore } from './environment-store';
import type { SealedVariables } from './secret-variables';

const EnvironmentsError = errorsOf<'environments.setUp'>();

/** What a call needs to know of its environment to find its way. */
export type Destination = Pick<EnvironmentRecord, 'id' | 'name' | 'label' | 'baseUrl' | 'setup'>;

export interface EnvironmentSetupsDeps {
  /** The vault's place for secret parts of connections. */
  sealedParts(): Promise<SealedVariables>;
  vaultFacts(id: string): Promise<{ holdsSecrets: boolean; sealedParts: readonly ConnectionPart[] }>;
  /** @throws {AppError} `environments.address_changed`, `.insecure` */
  requireBound(id: string): Promise<EnvironmentRecord>;
}

/**
 * Keeps how an environment's service is reached.
 *
 * Its secrets go by the same rule as its key and credentials: they are for the address that the environment has when
 * the first of them is kept, and used for no other.
 * @throws {AppError} `environments.bad_setup`, `.reserved`, `.address_changed`, `vault.*`; nothing was kept then
 */
export async function setUpEnvironment(
  deps: EnvironmentSetupsDeps,
  store: EnvironmentStore,
  record: EnvironmentRecord,
  given: { setup: EnvironmentSetup; secrets: ConnectionSecrets },
): Promise<void> {
  if (record.source === 'builtin' || record.source === 'run') {
    throw new EnvironmentsError(
      'environments.reserved',
      record.id === localEnvironmentId
        ? 'The embedded sandbox is reached as it is. Add an environment of your own.'
        : 'An environment of this run alone is not set up. Add it in Environments.',
    );
  }
  const setup = checkSetup(given.setup);
  // A password is for the proxy that it was entered for; another one asks for it anew.
  const isOtherProxy = setup.proxyUrl !== record.setup.proxyUrl;
  const parts = await deps.sealedParts();
  const secrets = new Map(Object.entries(given.secrets) as [ConnectionPart, string][]);
  const { holdsSecrets, sealedParts } = await deps.vaultFacts(record.id);
  await checkKey(parts, record, setup, secrets);
  const added = new Map([...secrets].filter(([part, value]) => value !== '' && isWanted(part, setup)));
  if (added.size > 0) {
    if (holdsSecrets) await deps.requireBound(record.id);
    else store.bind(record.id, readAddress(record.baseUrl));
    if (isOtherProxy) store.hold(record.id);
    await parts.keep(record.id, added).catch((error: unknown) => {
      if (isOtherProxy) store.release(record.id);
      throw error;
    });
  }
  const isLeft = (part: ConnectionPart): boolean =>
    added.has(part) || (secrets.get(part) !== '' && !(part === 'proxyPassword' && isOtherProxy));
  const kept = [...new Set([...sealedParts, ...added.keys()])];
  const left = kept.filter((part) => isWanted(part, setup) && isLeft(part));
  // Before the setup: a vault that is locked must not leave an old secret beside a new way.
  if (left.length < kept.length) await parts.keepOnly(record.id, left);
  store.setSetup(record.id, setup);
}

/** A secret goes with what it is for. */
function isWanted(part: ConnectionPart, { proxyUser, clientCertificate }: EnvironmentSetup): boolean {
  return part === 'proxyPassword' ? proxyUser !== '' : clientCertificate !== '';
}

/** Looks whether certificate and key fit where either is new: a fault shows here, and not at the next payment. */
async function checkKey(
  parts: SealedVariables,
  { id, setup: old }: EnvironmentRecord,
  { clientCertificate }: EnvironmentSetup,
  secrets: ReadonlyMap<ConnectionPart, string>,
): Promise<void> {
  const isSame = clientCertificate === old.clientCertificate;
  if (
    clientCertificate === '' ||
    (isSame && !secrets.has('clientKey') && !secrets.has('clientKeyPassphrase'))
  )
    return;
  const key = secrets.get('clientKey') ?? (await parts.read(id, 'clientKey')) ?? '';
  const passphrase =
    secrets.get('clientKeyPassphrase') ??
    (secrets.has('clientKey') ? '' : ((await parts.read(id, 'clientKeyPassphrase')) ?? ''));
  checkClientKey(clientCertificate, key, passphrase);
}

/**
 * Gives the way to an address for a request of an environment; null: straight, with what every connection has.
 *
 * Its own issuers count, and its certificate is shown, for its own host alone; the proxy is on the way to any.
 * @param destination - as `requireBound` gave it: what is kept for it may go there
 * @throws {AppError} `environments.no_secret`, `vault.*`
 */
export async function findConnection(
  sealedParts: () => Promise<SealedVariables>,
  { id, label, baseUrl, setup }: Destination,
  url: string,
): Promise<HttpConnection | null> {
  const { proxyUrl, proxyUser, ca, clientCertificate } = setup;
  const hasOwn = (ca !== '' || clientCertificate !== '') && isAddressOf(url, baseUrl);
  if (proxyUrl === '' && !hasOwn) return null;
  const parts = await sealedParts();
  const read = async (part: ConnectionPart): Promise<string> => (await parts.read(id, part)) ?? '';
  const password = proxyUser === '' ? '' : await read('proxyPassword');
  const proxy = proxyUrl === '' ? null : { url: proxyUrl, user: proxyUser, password };
  if (!hasOwn) return { proxy, ca: '', clientCertificate: null };
  if (clientCertificate === '') return { proxy, ca, clientCertificate: null };
  const key = await read('clientKey');
  if (key === '') {
    throw new EnvironmentsError(
      'environments.no_secret',
      `The vault has no key for the client certificate of '${label}'. Enter it again in Environments, Connection.`,
      { details: { environment: id, name: 'clientKey' } },
    );
  }
  const passphrase = await read('clientKeyPassphrase');
  return { proxy, ca, clientCertificate: { certificate: clientCertificate, key, passphrase } };
}
