import type { ParsedInput } from '@shared/contract/contract';
import { writeVaultReference } from '@shared/http-file/vault-reference';
import { isSecretName } from '@shared/secrets';

/** One environment of the data directory, as it stands in the settings. */
export type StoredEnvironment = Omit<ParsedInput<'environments.save'>, 'id'>;

/** The secrets that stand in the clear among variables, and that nobody chose to keep so. */
export function listClear({ variables, inClear }: StoredEnvironment): Map<string, string> {
  return new Map(
    Object.entries(variables).filter(
      ([name, value]) =>
        value !== '' && isSecretName(name) && !inClear.includes(name) && value !== writeVaultReference(name),
    ),
  );
}

/** Names of the variables whose values the vault has. */
export function listSealed({ variables }: Pick<StoredEnvironment, 'variables'>): string[] {
  return Object.keys(variables).filter((name) => variables[name] === writeVaultReference(name));
}

/** Gives an environment as it may be shown and written: references in the place of secrets. */
export function hideSecrets(environment: StoredEnvironment): StoredEnvironment {
  const clear = listClear(environment);
  if (clear.size === 0) return environment;
  const references = [...clear.keys()].map((name) => [name, writeVaultReference(name)] as const);
  return { ...environment, variables: { ...environment.variables, ...Object.fromEntries(references) } };
}

/** Where the values of secret variables are kept: the vault. All but `read` need it open. */
export interface SealedVariables {
  /** @returns null: it is not there @throws {AppError} `vault.*` */
  read(environment: string, name: string): Promise<string | null>;
  /** Keeps values in the place of those that are there. */
  keep(environment: string, values: ReadonlyMap<string, string>): Promise<void>;
  /** Removes all that are kept for an environment, apart from these. */
  keepOnly(environment: string, names: readonly string[]): Promise<void>;
}
