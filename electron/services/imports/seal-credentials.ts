import { AppError } from '@shared/errors';
import { environmentPlaces, formatEnvironmentId } from '@shared/contract/environment-id';
import type { MethodOutput } from '@shared/contract/contract';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { writeVaultReference } from '@shared/http-file/vault-reference';
import type { ImportNote } from '@shared/import/imported';
import type { PlannedSecrets } from '@shared/import/layout/plan-environments';
import { trimSlashes } from '@shared/import/variables';
import { listSome } from '@shared/list-some';
import { readPlace } from '@shared/http-file/read-place';
import { isSecretName } from '@shared/secrets';
import { readAddress } from '../environments/address-binding';
import type { EnvironmentsService } from '../environments/create-environments-service';
import { checkEnvironment, type SaveInput } from '../environments/save-environment';
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
  environments: Pick<EnvironmentsService, 'list' | 'saveImported' | 'readSecret'>;
  vault: ImportVault;
}

type OwnEnvironment = Pick<EnvironmentRecord, 'id' | 'name' | 'kind' | 'baseUrl' | 'variables' | 'source'> &
  Partial<Pick<EnvironmentRecord, 'inClear'>>;

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
  const { state } = await keeper.vault['vault.status']({});
  for (const one of planned) {
    const { keepable, notes } = sort(one, 'is');
    const place = keepable.length === 0 ? null : await choosePlace(one, keepable, known, keeper);
    const input = place === null ? null : toInput(one, keepable, place, known);
    const why = place === null || input === null ? null : findWhyDropped(state, input, place, known);
    if (why !== null) {
      sealed.notes.push(...keepable.map(({ name }) => describeDropped(one, name, why, 'is')));
    } else if (place !== null && input !== null) {
      const { name, id, same } = place;
      const at = { id, isThere: same !== undefined };
      const app = await findAppCredentials(keeper.vault, forApp(one, keepable), at, taken);
      known.push({ id, ...input, source: 'data' });
      sealed.environments.push(name);
      sealed.notes.push(
        ...keepable.map((secret) => ({
          where: one.environment,
          what: `The value of {{${secret.name}}} is a credential: it stays out of the files, and goes to the vault, in your environment '${name}'.${adviseOn(secret.name, app)}`,
        })),
        ...describePlace(one, place),
      );
    }
    sealed.notes.push(...notes);
  }
  return sealed;
}

/** Says why a save would be refused; null: it would not. */
function findWhyDropped(
  state: MethodOutput<'vault.status'>['state'],
  input: SaveInput,
  { same }: Place,
  known: readonly OwnEnvironment[],
): string | null {
  if (state === 'locked') return 'the vault is locked (unlock it first)';
  if (state !== 'unlocked') return cannotTake;
  try {
    const own = known.filter(({ source }) => source === 'data').map(({ name }) => name);
    checkEnvironment(input, same ?? null, own, true);
    return null;
  } catch (error) {
    return describeRefusal(error);
  }
}

const cannotTake = 'the vault cannot take it now';

/** An import goes on without what the vault or the environments refuse. */
function describeRefusal(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return error.code === 'environments.not_sealed' ? cannotTake : error.message.replace(/\.$/, '');
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
  const keepable = planned.secrets.filter(({ name }) => isSecretName(name));
  const why = 'its name does not tell that it is a secret';
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
    const { place, app } = await save(planned, secrets, keeper);
    const { name } = place;
    const notes = secrets.map((secret) => ({
      where: planned.environment,
      what: `The value of {{${secret.name}}} is a credential: it lies in the vault, in your environment '${name}'.${adviseOn(secret.name, app)}`,
    }));
    return { environments: [name], notes: [...notes, ...describePlace(planned, place)] };
  } catch (error) {
    const why = describeRefusal(error);
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

interface Place {
  name: string;
  id: string;
  /** The one that is there, and takes it. */
  same: OwnEnvironment | undefined;
  /** One of that name and address that has other values. */
  other: OwnEnvironment | undefined;
}

/** A secret that is kept under the same name may be another: its environment is not touched then. */
async function choosePlace(
  { environment, baseUrl }: PlannedSecrets,
  secrets: PlannedSecrets['secrets'],
  known: readonly OwnEnvironment[],
  { environments }: ImportKeeper,
): Promise<Place> {
  const own = known.filter(({ source }) => source === 'data');
  const address = readAddress(baseUrl);
  // One of a collection that goes elsewhere would no longer be what its name stands for on a command line.
  const isFree = (name: string): boolean =>
    name !== 'local' &&
    known
      .filter((one) => one.name === name)
      .every((one) => one.source !== 'data' && ['', address].includes(readAddress(one.baseUrl)));
  const hasAll = ({ variables }: OwnEnvironment): boolean =>
    secrets.every(({ name }) => Object.hasOwn(variables, name));
  // What has no address joins nothing: it may be a stranger's, and would go where the user lets the others go.
  const there = own.filter((one) => (baseUrl === '' ? hasAll(one) : isSameAddress(one.baseUrl, baseUrl)));
  const [named] = there.filter((one) => one.name === environment);
  // What came before, and was another than that.
  const again = there.filter((one) => one.name.replace(/ \d{1,3}$/, '') === environment && hasAll(one));
  let same: OwnEnvironment | undefined;
  for (const one of named === undefined ? again : [named, ...again])
    if (same === undefined && (await hasNoOther(one, secrets, environments))) same = one;
  let name = same?.name ?? environment;
  for (let count = 2; same === undefined && !isFree(name); count++) name = `${environment} ${count}`;
  name = name.slice(0, 80);
  const id = same?.id ?? formatEnvironmentId(environmentPlaces.data, name);
  return { name, id, same, other: same === undefined ? named : undefined };
}

const isSameAddress = (one: string, other: string): boolean => writeAddress(one) === writeAddress(other);

const writeAddress = (text: string): string => trimSlashes(URL.canParse(text) ? new URL(text).href : text);

/** More would be asked of the vault one by one. */
const mostCompared = 200;

/** Tells whether nothing is kept there under the names of secrets but their very values. */
async function hasNoOther(
  { id, variables }: OwnEnvironment,
  secrets: PlannedSecrets['secrets'],
  { readSecret }: ImportKeeper['environments'],
): Promise<boolean> {
  const kept = secrets.filter(({ name }) => Object.hasOwn(variables, name));
  if (kept.length > mostCompared) return false;
  for (const { name, value } of kept) {
    const isSealed = variables[name] === writeVaultReference(name);
    try {
      if ((isSealed ? await readSecret(id, name) : variables[name]) !== value) return false;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
  return true;
}

/** Says what an environment that was there gets, and what it keeps. */
function describePlace(
  { environment, variables, baseUrl }: PlannedSecrets,
  { name, same, other }: Place,
): ImportNote[] {
  const note = (what: string): ImportNote => ({ where: environment, what });
  const isHomeless = baseUrl === '' && (same?.baseUrl ?? '') === '';
  const waits = isHomeless ? [note(describeHomeless([name]))] : [];
  if (other !== undefined)
    return [
      note(
        `Your environment '${other.name}' has values of its own for that, and stays as it is: delete the one that is out of date.`,
      ),
      ...waits,
    ];
  if (same === undefined || baseUrl === '') return waits;
  const given = Object.keys(variables).filter((name) => name !== 'base_url' && name !== 'last_reference');
  const added = given.filter((name) => name !== 'callback_url' && !Object.hasOwn(same.variables, name));
  const kept = given.filter((name) => !added.includes(name) && same.variables[name] !== variables[name]);
  return [
    ...(added.length > 0 ? [note(`Your environment '${same.name}' gets ${listSome(added)}, too.`)] : []),
    ...(kept.length > 0
      ? [note(`Your environment '${same.name}' keeps its own values of ${listSome(kept)}.`)]
      : []),
  ];
}

/** @param names - of own environments without an address */
export function describeHomeless(names: readonly string[]): string {
  const [have, their] = names.length === 1 ? ['has', 'its'] : ['have', 'their'];
  return `Of your own environments, ${listSome(names.map((name) => `'${name}'`))} ${have} no address yet, and none of ${their} secrets is sent anywhere: enter the address in Environments.`;
}

/** What has no address is for nothing that the app asks there. */
const forApp = (planned: PlannedSecrets, secrets: PlannedSecrets['secrets']): PlannedSecrets => ({
  ...planned,
  secrets,
  isGuessed: planned.isGuessed === true || planned.baseUrl === '',
});

async function save(
  planned: PlannedSecrets,
  secrets: PlannedSecrets['secrets'],
  keeper: ImportKeeper,
): Promise<{ place: Place; app: AppCredentials }> {
  const { environments, vault } = keeper;
  const known = environments.list();
  const place = await choosePlace(planned, secrets, known, keeper);
  const { name, same } = place;
  const at = { id: place.id, isThere: same !== undefined };
  const app = await findAppCredentials(vault, forApp(planned, secrets), at);
  const input = toInput(planned, secrets, place, known);
  // It is there already, with these very values.
  if (planned.baseUrl === '' && same !== undefined) return { place, app };
  const { id } = await environments.saveImported(input);
  return { place, app: await keepAppCredentials(vault, app, { id, name }) };
}

/** Gives what is to be saved: one that is there keeps its kind, its address, its values, and where its webhooks go. */
function toInput(
  planned: PlannedSecrets,
  secrets: PlannedSecrets['secrets'],
  { name, same }: Place,
  known: readonly OwnEnvironment[],
): SaveInput {
  const secretValues = toVariables(secrets);
  if (same !== undefined) {
    const { id, kind, baseUrl, inClear = [] } = same;
    const { callback_url: _followed, ...others } = planned.variables;
    const variables = { ...others, ...secretValues, ...same.variables };
    return { id, name, kind: kind === 'production' ? kind : 'sandbox', baseUrl, variables, inClear };
  }
  const place = readPlace(planned.baseUrl);
  // Where real money moves already it does so under any name, and however the host is written.
  const isProduction = known.some(
    ({ kind, baseUrl }) => kind === 'production' && place !== null && readPlace(baseUrl) === place,
  );
  return {
    name,
    kind: isProduction || production.test(name) ? 'production' : 'sandbox',
    baseUrl: planned.baseUrl,
    variables: { ...planned.variables, ...secretValues },
    inClear: [],
  };
}
