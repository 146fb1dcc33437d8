import type { Handlers } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { isPlaceholder } from '@shared/import/credentials';
import type { PlannedSecrets } from '@shared/import/layout/plan-environments';

/** What an import asks of the vault beside the place for variables. */
export type ImportVault = Pick<
  Handlers,
  'credentials.list' | 'credentials.save' | 'keys.inspect' | 'keys.import' | 'keys.list' | 'vault.status'
>;

/** What of an environment's variables the app itself signs and fetches tokens with. */
export interface AppCredentials {
  consumer: { consumerKey: string; consumerSecret: string } | null;
  /** Of consumer key and secret. */
  hasOwn: boolean;
  /** Text of the private key. */
  key: string | null;
  /** What becomes of the private keys, and the variables that hold them. */
  kind: keyof typeof keyAdvice;
  keyNames: readonly string[];
}

const names = {
  consumerKey: /^consumer[_-]?key(?:_secret)?$/i,
  consumerSecret: /^consumer[_-]?secret$/i,
  consumer: /consumer_?(?:key|secret)/i,
  /** Keys for something else than a signature of the body. */
  other: /tls|ssl|cert|client|ssh|jwt/i,
};
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * Finds what the app can take up for an environment: nothing in the place of what it has there already, and nothing whose
 * address was only guessed.
 *
 * @param place - environment that takes them, which may have been there, or one of its name that was deleted
 * @param taken - fingerprints of keys that this import takes up elsewhere
 */
export async function findAppCredentials(
  vault: ImportVault,
  { variables, secrets, isGuessed }: PlannedSecrets,
  { id, isThere }: { id: string; isThere: boolean },
  taken = new Set<string>(),
): Promise<AppCredentials> {
  const all = [...Object.entries(variables), ...secrets.map((one) => [one.name, one.value] as const)];
  const find = (name: RegExp): string | null => {
    const found = all.filter(
      ([given, value]) => name.test(given) && value !== '' && !value.includes('{{') && !isPlaceholder(value),
    );
    return found.length === 1 ? found[0]![1] : null;
  };
  const [consumerKey, consumerSecret] = [find(names.consumerKey), find(names.consumerSecret)];
  const pems = secrets.filter(({ value }) => pem.test(value));
  const [first] = pems;
  const hasOwn = (await vault['credentials.list']({})).credentials.some((one) => one.environment === id);
  // One that belongs to none signs in an own environment that has no other.
  const hasKey = (await vault['keys.list']({})).keys.some(
    ({ environment }) => environment === id || (isThere && environment === null),
  );
  const mayKeep = isGuessed !== true;
  const consumer =
    mayKeep && !hasOwn && consumerKey !== null && consumerSecret !== null
      ? { consumerKey, consumerSecret }
      : null;
  const isOne = pems.length === 1 && !names.other.test(first!.name);
  const found = isOne ? await inspect(vault, first!.value, id, taken) : 'other';
  const kind = found === 'new' && (hasKey || !mayKeep) ? 'other' : found;
  const key = kind === 'new' ? first!.value : null;
  return { consumer, hasOwn, key, kind, keyNames: pems.map(({ name }) => name) };
}

/** Says of a variable, behind where its value is, what the app does with it. */
export function adviseOn(name: string, { consumer, hasOwn, kind, keyNames }: AppCredentials): string {
  if (keyNames.includes(name)) return keyAdvice[kind];
  if (!names.consumer.test(name)) return '';
  if (hasOwn) return ' The app fetches tokens with the consumer key and secret that it has there already.';
  return consumer === null
    ? ' To have tokens fetched, enter consumer key and secret in Environments.'
    : ' The app fetches tokens with it there.';
}

const keyAdvice = {
  new: ' The app signs with it there.',
  there: ' The app signs with it there.',
  known:
    ' To sign with it there, choose that environment for it under Keys, where it is already, in the place of any that it has.',
  other: ' To sign with it, import it under Keys.',
};

async function inspect(
  vault: ImportVault,
  text: string,
  id: string,
  taken: Set<string>,
): Promise<keyof typeof keyAdvice> {
  try {
    const { kind, fingerprint, vaultKeyIds, environments } = await vault['keys.inspect']({ text });
    if (kind !== 'private') return 'other';
    if (environments.includes(id)) return 'there';
    const isKnown = vaultKeyIds.length > 0 || taken.has(fingerprint);
    taken.add(fingerprint);
    return isKnown ? 'known' : 'new';
  } catch (error) {
    if (error instanceof AppError) return 'other';
    throw error;
  }
}

/** Keeps them for an environment that is there now, bound to its address. @returns what the vault took */
export async function keepAppCredentials(
  vault: ImportVault,
  found: AppCredentials,
  { id, name }: { id: string; name: string },
): Promise<AppCredentials> {
  const kept = { ...found };
  try {
    if (found.key !== null) await vault['keys.import']({ environment: id, name, text: found.key });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    Object.assign(kept, { key: null, kind: 'other' });
  }
  try {
    if (found.consumer !== null)
      await vault['credentials.save']({ environment: id, product: null, ...found.consumer });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    kept.consumer = null;
  }
  return kept;
}
