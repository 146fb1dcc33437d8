import { environmentPlaces, formatEnvironmentId, oneOfThatName } from '@shared/contract/environment-id';
import { AppError } from '@shared/errors';
import type { EnvironmentSecrets } from './environment-secrets';
import type { EnvironmentStore } from './environment-store';
import { saveEnvironment, type SaveInput } from './save-environment';
import type { StoredEnvironment } from './secret-variables';

/**
 * Adds new environments in one change of the settings, which are read and written as a whole.
 *
 * @returns of each why it was refused; null: it was added
 * @throws {AppError} `platform.*` where the settings cannot be written: none was added
 */
export async function addEnvironments(
  store: EnvironmentStore,
  secrets: EnvironmentSecrets,
  callbackUrl: string,
  inputs: readonly SaveInput[],
): Promise<(string | null)[]> {
  await secrets.settle();
  const names = store.read().data.map(({ name }) => name);
  const made: (StoredEnvironment | string)[] = [];
  const seal = async (environment: StoredEnvironment): Promise<StoredEnvironment> => {
    // The vault may still have what a deleted one of that name had.
    await secrets.dropUnnamed(formatEnvironmentId(environmentPlaces.data, environment.name));
    return secrets.seal(null, environment);
  };
  const put: EnvironmentStore['put'] = (_name, environment) => {
    made.push(environment);
    names.push(environment.name);
  };
  for (const input of inputs) {
    try {
      await saveEnvironment({ ...store, put }, input, null, {
        names,
        movedMarks: [],
        callbackUrl,
        mayLackAddress: true,
        seal,
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      made.push(error.message);
    }
  }
  const added = new Set(store.add(made.filter((one) => typeof one !== 'string')));
  return made.map((one) => {
    if (typeof one === 'string') return one;
    return added.has(one) ? null : oneOfThatName;
  });
}
