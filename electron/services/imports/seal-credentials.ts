import { AppError } from '@shared/errors';
import type { ImportNote } from '@shared/import/imported';
import type { PlannedSecrets } from '@shared/import/layout/plan-environments';
import { isSecretName } from '@shared/secrets';
import type { EnvironmentsService } from '../environments/create-environments-service';

/** Names that tell an environment where real money moves: it then asks before each send. */
const production = /prod|live/i;

/**
 * Keeps the credentials of an import: in the vault, as variables of environments of the user's own.
 *
 * An import does not fail for a vault that takes nothing: the value is dropped then, and the note says what to do.
 * @param environments - null: no vault is open here
 * @returns a note for each, never with its value
 */
export async function sealCredentials(
  planned: readonly PlannedSecrets[],
  environments: EnvironmentsService | null,
): Promise<ImportNote[]> {
  const notes: ImportNote[] = [];
  for (const one of planned) notes.push(...(await sealOne(one, environments)));
  return notes;
}

async function sealOne(
  planned: PlannedSecrets,
  environments: EnvironmentsService | null,
): Promise<ImportNote[]> {
  const keepable = planned.secrets.filter(({ name }) => isSecretName(name));
  const others = planned.secrets.filter(({ name }) => !isSecretName(name));
  const dropped = others.map(({ name }) =>
    describeDropped(planned, name, 'its name does not tell that it is a secret'),
  );
  if (keepable.length === 0) return dropped;
  if (environments === null) {
    return [
      ...keepable.map(({ name }) => describeDropped(planned, name, 'no vault is open here')),
      ...dropped,
    ];
  }
  try {
    const name = await save(planned, keepable, environments);
    return [
      ...keepable.map((secret) => ({ where: planned.environment, what: describeKept(secret.name, name) })),
      ...dropped,
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why =
      error.code === 'environments.not_sealed'
        ? 'the vault cannot take it now'
        : error.message.replace(/\.$/, '');
    return [...keepable.map(({ name }) => describeDropped(planned, name, why)), ...dropped];
  }
}

function describeKept(variable: string, environment: string): string {
  return `The value of {{${variable}}} is a credential: it lies in the vault, in your environment '${environment}'.`;
}

function describeDropped({ environment }: PlannedSecrets, variable: string, why: string): ImportNote {
  const what = `The value of {{${variable}}} is a credential, and was dropped: ${why}. Set it in Settings, Environments.`;
  return { where: environment, what };
}

/** Says, before anything is done, what becomes of credentials. */
export function describeCredentials(planned: readonly PlannedSecrets[], hasVault: boolean): ImportNote[] {
  return planned.flatMap(({ environment, secrets }) =>
    secrets.map(({ name }) => ({
      where: environment,
      what: `The value of {{${name}}} is a credential: it stays out of the files, and ${hasVault ? 'goes to the vault' : 'is dropped'}.`,
    })),
  );
}

/** A value that is kept under the same name may be another: its environment is not touched then. */
async function save(
  { environment, baseUrl, variables }: PlannedSecrets,
  secrets: PlannedSecrets['secrets'],
  service: EnvironmentsService,
): Promise<string> {
  const own = service.list().filter(({ source }) => source === 'data');
  const isFree = (name: string): boolean => name !== 'local' && !own.some((one) => one.name === name);
  const same = own.find(
    (one) =>
      one.name === environment &&
      one.baseUrl === baseUrl &&
      secrets.every(({ name }) => !Object.hasOwn(one.variables, name)),
  );
  let name = environment;
  for (let count = 2; same === undefined && !isFree(name); count++) name = `${environment} ${count}`;
  await service.handlers['environments.save']({
    ...(same !== undefined && { id: same.id }),
    name: name.slice(0, 80),
    kind: same?.kind === 'production' || production.test(name) ? 'production' : 'sandbox',
    baseUrl,
    variables: {
      ...same?.variables,
      ...variables,
      ...Object.fromEntries(secrets.map((secret) => [secret.name, secret.value])),
    },
    inClear: same?.inClear ?? [],
  });
  return name;
}
