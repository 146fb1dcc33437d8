import type { EnvironmentRecord } from '@shared/contract/environments';
import { environmentPlaces, formatEnvironmentId } from '@shared/contract/environment-id';
import { AppError } from '@shared/errors';
import { isSecretName } from '@shared/secrets';
import { errorsOf } from '../errors-of';
import { readAddress } from './address-binding';
import type { EnvironmentStore } from './environment-store';
import {
  hideSecrets,
  listClear,
  listSealed,
  type SealedVariables,
  type StoredEnvironment,
} from './secret-variables';
import { listSome } from '@shared/list-some';

const EnvironmentsError = errorsOf<'environments'>();

export interface EnvironmentSecretsDeps {
  sealedVariables(): Promise<SealedVariables>;
  vaultFacts(id: string): Promise<{ holdsSecrets: boolean }>;
  onRename?(from: string, to: string): Promise<void>;
}

export interface EnvironmentSecrets {
  /**
   * Does what must be done before anything is asked of the vault: renames that were cut short, secrets in the clear.
   *
   * First the vault, then copies of former settings, then the settings: whoever is killed in between finds each value
   * where it was, and begins again. What cannot be sealed yet stays as it is, and the environment says so.
   */
  settle(): Promise<void>;
  /**
   * Seals what is secret in an environment that is about to be written, under the id that it has still.
   *
   * @param old - the one that is changed; null: a new one
   * @throws {AppError} `environments.not_sealed` where the vault cannot take it: nothing was kept, and the user decides
   */
  seal(old: EnvironmentRecord | null, environment: StoredEnvironment): Promise<StoredEnvironment>;
  /** Removes from the vault what an environment does not name any more. */
  dropUnnamed(id: string): Promise<void>;
  /** @throws {AppError} `environments.no_secret`, `vault.*` */
  read(record: EnvironmentRecord, name: string): Promise<string>;
  /** Says what stands in the clear though it should not; null: nothing. */
  describeClear(record: EnvironmentRecord, data?: readonly StoredEnvironment[]): string | null;
}

const idOf = (name: string): string => formatEnvironmentId(environmentPlaces.data, name);

/** Keeps the secrets among the variables of environments where they belong: in the vault, with references in the settings. */
export function createEnvironmentSecrets(
  deps: EnvironmentSecretsDeps,
  store: EnvironmentStore,
): EnvironmentSecrets {
  const find = (
    id: string,
    data: readonly StoredEnvironment[] = store.read().data,
  ): StoredEnvironment | undefined => data.find(({ name }) => idOf(name) === id);
  /** What is kept for an environment is for the address that it has when the first of it is kept. */
  const keep = async (id: string, environment: StoredEnvironment): Promise<void> => {
    const vault = await deps.sealedVariables();
    const { holdsSecrets } = await deps.vaultFacts(id);
    if (!holdsSecrets) store.bind(id, readAddress(environment.baseUrl));
    await vault.keep(id, listClear(environment));
  };
  return {
    settle: () => waitUntilOpen(() => settle(deps, store, keep)),
    async seal(old, environment) {
      const id = old?.id ?? idOf(environment.name);
      const chosen = await openChosen(await deps.sealedVariables(), id, environment);
      const clear = listClear(chosen);
      if (clear.size === 0) return chosen;
      const isForAnother = old !== null && readAddress(old.baseUrl) !== readAddress(chosen.baseUrl);
      if (isForAnother) store.hold(id);
      await keep(id, chosen).catch((error: unknown) => {
        if (isForAnother) store.release(id);
        throw describeUnsealed([...clear.keys()], error);
      });
      return hideSecrets(chosen);
    },
    async dropUnnamed(id) {
      const found = find(id);
      const vault = await deps.sealedVariables();
      // What a locked vault keeps is sealed, and goes with the next change.
      await waitUntilOpen(() => vault.keepOnly(id, found === undefined ? [] : listSealed(found)));
    },
    async read(record, name) {
      const stored = record.source === 'data' ? find(record.id) : undefined;
      const vault = await deps.sealedVariables();
      const value =
        stored === undefined ? null : (listClear(stored).get(name) ?? (await vault.read(record.id, name)));
      if (value !== null) return value;
      const advice =
        stored === undefined
          ? 'Give it to an environment of your own in Environments, and choose that one (on the command line: --env NAME).'
          : 'Enter it among its values in Environments.';
      throw new EnvironmentsError(
        'environments.no_secret',
        `The vault has no '${name.slice(0, 80)}' for '${record.label}'. ${advice}`,
        { details: { environment: record.id, name: name.slice(0, 80) } },
      );
    },
    describeClear({ source, id, variables }, data) {
      const isShared = source === 'collection';
      const shared = Object.keys(variables).filter((name) => isSecretName(name) && variables[name] !== '');
      const stored = source === 'data' ? find(id, data) : undefined;
      return describeClear(isShared ? shared : [...(stored ? listClear(stored).keys() : [])], isShared);
    },
  };
}

/** Leaves for later what a vault that is locked or cannot be read does not take now. */
async function waitUntilOpen(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function settle(
  { onRename }: EnvironmentSecretsDeps,
  store: EnvironmentStore,
  keep: (id: string, environment: StoredEnvironment) => Promise<void>,
): Promise<void> {
  for (const [from, to] of Object.entries(store.read().renames)) {
    await onRename?.(from, to);
    store.finishRename(from);
  }
  const found = store.read().data.filter((environment) => listClear(environment).size > 0);
  if (found.length === 0) return;
  for (const environment of found) await keep(idOf(environment.name), environment);
  store.hideSealed(found);
}

/** Takes out of the vault what the user wants in the clear from now on. */
async function openChosen(
  vault: SealedVariables,
  id: string,
  environment: StoredEnvironment,
): Promise<StoredEnvironment> {
  const variables = { ...environment.variables };
  for (const name of listSealed(environment)) {
    if (environment.inClear.includes(name)) variables[name] = (await vault.read(id, name)) ?? '';
  }
  return { ...environment, variables };
}

/** Says of an environment what stands in the clear though it should not; null: nothing. */
function describeClear(clear: readonly string[], isShared: boolean): string | null {
  if (clear.length === 0) return null;
  const [names, stand, them] = [
    listSome(clear),
    clear.length === 1 ? 'stands' : 'stand',
    clear.length === 1 ? 'it' : 'them',
  ];
  return isShared
    ? `${names} ${stand} in the clear in http-client.env.json, which others read. Take ${them} out: the vault keeps ` +
        'secrets of an environment of your own; other clients read http-client.private.env.json.'
    : `${names} ${stand} in the clear in settings.json until the vault is open to seal ${them}. Unlock it in Keys and tokens.`;
}

function describeUnsealed(names: readonly string[], cause: unknown): unknown {
  if (!(cause instanceof AppError)) return cause;
  return new EnvironmentsError(
    'environments.not_sealed',
    `Nothing was saved: ${listSome(names)} would be sealed in the vault, and that cannot take it now. ${cause.message} ` +
      'Or choose to keep it in the clear in settings.json (inClear on the command line).',
    { details: { names: [...names], reason: cause.code }, cause },
  );
}
