import { AppError } from '@shared/errors';
import type { EnvironmentRecord } from '@shared/contract/environments';
import type { ImportNote } from '@shared/import/imported';
import type { PlannedSecrets } from '@shared/import/layout/plan-environments';
import { isSecretName } from '@shared/secrets';
import type { EnvironmentsService } from '../environments/create-environments-service';
import {
  adviseOn,
  type AppCredentials,
  findAppCredentials,
  keepAppCredentials,
  type ImportVault,
} from './app-credentials';

/** Names that tell an environment where real money moves: it then asks before each send. */
const production = /prod|live/i;

/** What became, or would become, of credentials. */
export interface SealedCredentials {
  /** The user's own environments that have them, by name. */
  readonly environments: string[];
  /** One for each credential, never with its value. */
  readonly notes: ImportNote[];
}

/** Where credentials are kept: the user's own environments, and what the app signs and fetches tokens with. */
export interface ImportKeeper {
  environments: Pick<EnvironmentsService, 'list' | 'handlers'>;
  vault: ImportVault;
}

type OwnEnvironment = Pick<EnvironmentRecord, 'name' | 'baseUrl' | 'variables' | 'source'> & {
  id?: string;
};

/**
 * Keeps the credentials of an import: in the vault, as variables of environments of the user's own.
 *
 * An import does not fail for a vault that takes nothing: the value is dropped then, and the note says what to do.
 * @param keeper - null: no vault is open here
 */
export async function sealCredentials(
  planned: readonly PlannedSecrets[],
  keeper: ImportKeeper | null,
): Promise<SealedCredentials> {
  if (keeper === null) return describeWithoutVault(planned);
  const sealed: SealedCredentials = { environments: [], notes: [] };
  for (const one of planned) {
    const { keepable, notes } = sort(one, 'was');
    if (keepable.length > 0) {
      const kept = await keep(one, keepable, keeper);
      sealed.environments.push(...kept.environments);
      sealed.notes.push(...kept.notes);
    }
    sealed.notes.push(...notes);
  }
  return sealed;
}

/** Says, before anything is done, what becomes of credentials, by the names that they would get. */
export async function describeCredentials(
  planned: readonly PlannedSecrets[],
  keeper: ImportKeeper | null,
): Promise<SealedCredentials> {
  if (keeper === null) return describeWithoutVault(planned);
  const known: OwnEnvironment[] = keeper.environments.list();
  const taken = new Set<string>();
  const sealed: SealedCredentials = { environments: [], notes: [] };
  for (const one of planned) {
    const { keepable, notes } = sort(one, 'is');
    if (keepable.length > 0) {
      const { name, same } = choosePlace(one, keepable, known);
      const app = await findAppCredentials(keeper.vault, { ...one, secrets: keepable }, same?.id, taken);
      const variables = { ...one.variables, ...toVariables(keepable) };
      known.push({ name, baseUrl: one.baseUrl, variables, source: 'data' });
      sealed.environments.push(name);
      sealed.notes.push(
        ...keepable.map((secret) => ({
          where: one.environment,
          what: `The value of {{${secret.name}}} is a credential: it stays out of the files, and goes to the vault, in your environment '${name}'.${adviseOn(secret.name, app)}`,
        })),
      );
    }
    sealed.notes.push(...notes);
  }
  return sealed;
}

/** No environment is written where there is no vault: none is named, and what stands in several is told once. */
function describeWithoutVault(planned: readonly PlannedSecrets[]): SealedCredentials {
  const what =
    'A credential stands in no file, and no vault is open here: its value is dropped. To keep it, import with --data DIR: the vault of that folder takes it.';
  const names = new Set(planned.flatMap(({ secrets }) => secrets.map(({ name }) => name)));
  return { environments: [], notes: [...names].map((name) => ({ where: `{{${name}}}`, what })) };
}

/** Parts what the vault takes from what it does not, with the reason. */
function sort(
  planned: PlannedSecrets,
  word: 'is' | 'was',
): { keepable: PlannedSecrets['secrets']; notes: ImportNote[] } {
  const isFor = planned.baseUrl !== '';
  const keepable = isFor ? planned.secrets.filter(({ name }) => isSecretName(name)) : [];
  const why = isFor
    ? 'its name does not tell that it is a secret'
    : 'nothing in it tells the address that it is for';
  const notes = planned.secrets
    .filter((secret) => !keepable.includes(secret))
    .map(({ name }) => describeDropped(planned, name, why, word));
  return { keepable, notes };
}

async function keep(
  planned: PlannedSecrets,
  secrets: PlannedSecrets['secrets'],
  keeper: ImportKeeper,
): Promise<SealedCredentials> {
  try {
    const { name, app } = await save(planned, secrets, keeper);
    const notes = secrets.map((secret) => ({
      where: planned.environment,
      what: `The value of {{${secret.name}}} is a credential: it lies in the vault, in your environment '${name}'.${adviseOn(secret.name, app)}`,
    }));
    return { environments: [name], notes };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why =
      error.code === 'environments.not_sealed'
        ? 'the vault cannot take it now'
        : error.message.replace(/\.$/, '');
    return { environments: [], notes: secrets.map(({ name }) => describeDropped(planned, name, why, 'was')) };
  }
}

function describeDropped(
  { environment }: PlannedSecrets,
  variable: string,
  why: string,
  word: 'is' | 'was',
): ImportNote {
  const what = `The value of {{${variable}}} is a credential, and ${word} dropped: ${why}. Set it in Environments.`;
  return { where: environment, what };
}

const toVariables = (secrets: PlannedSecrets['secrets']): Record<string, string> =>
  Object.fromEntries(secrets.map(({ name, value }) => [name, value]));

/** A value that is kept under the same name may be another: its environment is not touched then. */
function choosePlace<T extends OwnEnvironment>(
  { environment, baseUrl }: PlannedSecrets,
  secrets: PlannedSecrets['secrets'],
  known: readonly T[],
): { name: string; same: T | undefined } {
  const own = known.filter(({ source }) => source === 'data');
  const isFree = (name: string): boolean => name !== 'local' && !own.some((one) => one.name === name);
  const same = own.find(
    (one) =>
      one.name === environment &&
      one.baseUrl === baseUrl &&
      secrets.every(({ name }) => !Object.hasOwn(one.variables, name)),
  );
  let name = environment;
  for (let count = 2; same === undefined && !isFree(name); count++) name = `${environment} ${count}`;
  return { name: name.slice(0, 80), same };
}

async function save(
  planned: PlannedSecrets,
  secrets: PlannedSecrets['secrets'],
  { environments, vault }: ImportKeeper,
): Promise<{ name: string; app: AppCredentials }> {
  const { name, same } = choosePlace(planned, secrets, environments.list());
  const app = await findAppCredentials(vault, { ...planned, secrets }, same?.id);
  const { id } = await environments.handlers['environments.save']({
    ...(same !== undefined && { id: same.id }),
    name,
    kind: same?.kind === 'production' || production.test(name) ? 'production' : 'sandbox',
    baseUrl: planned.baseUrl,
    variables: { ...same?.variables, ...planned.variables, ...toVariables(secrets) },
    inClear: same?.inClear ?? [],
  });
  return { name, app: await keepAppCredentials(vault, app, { id, name }) };
}
