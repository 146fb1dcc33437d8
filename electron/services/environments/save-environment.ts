import type { ParsedInput } from '@shared/contract/contract';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { environmentPlaces, formatEnvironmentId, localEnvironmentId } from '@shared/contract/environment-id';
import { errorsOf } from '../errors-of';
import { refuseInsecure } from './address-binding';
import { readBaseUrl } from './base-url';
import type { EnvironmentStore, StoredEnvironment } from './environment-store';

const EnvironmentsError = errorsOf<'environments'>();

export type SaveInput = ParsedInput<'environments.save'>;

/**
 * Checks what is to be saved and keeps it in the settings.
 *
 * @param old - the one that is changed; null: a new one
 * @param names - of the data directory's environments
 * @param callbackUrl - of the listener, which the environment follows where it says the same
 * @returns id under which it is kept
 * @throws {AppError} `environments.bad_name`, `.reserved`, `.exists`, `.bad_url`, `.insecure`, `.from_collection`
 */
export function saveEnvironment(
  store: EnvironmentStore,
  input: SaveInput,
  old: EnvironmentRecord | null,
  { names, callbackUrl }: { names: readonly string[]; callbackUrl: string },
): string {
  const name = readName(input.name);
  if (old?.source === 'collection') return keepKindOfShared(store, old, input, name);
  refuseName(name, old, names);
  const baseUrl = readBaseUrl(input.baseUrl);
  refuseInsecure({ ...input, baseUrl, source: 'data' });
  const variables = withoutBuiltIn(input.variables);
  // It is shown with the rest; saved as it stands, it would no longer follow the listener.
  if (variables['callback_url'] === callbackUrl) delete variables['callback_url'];
  store.put(old?.name ?? name, { name, kind: input.kind, baseUrl, variables });
  return formatEnvironmentId(environmentPlaces.data, name);
}

function refuseName(name: string, old: EnvironmentRecord | null, names: readonly string[]): void {
  if (name === localEnvironmentId || old?.source === 'builtin') {
    throw new EnvironmentsError(
      'environments.reserved',
      `'${localEnvironmentId}' is the embedded sandbox. Choose another name.`,
    );
  }
  if (name !== old?.name && names.includes(name)) {
    throw new EnvironmentsError(
      'environments.exists',
      `There is already an environment '${name}'. Choose another name.`,
    );
  }
}

/** Of a shared environment only its kind is ours; the rest stands in the team's file. */
function keepKindOfShared(
  store: EnvironmentStore,
  old: EnvironmentRecord,
  input: SaveInput,
  name: string,
): string {
  const isSame =
    name === old.name &&
    input.baseUrl.replace(/\/+$/, '') === old.baseUrl &&
    Object.entries(input.variables).every(([key, value]) => old.variables[key] === value);
  if (!isSame) {
    throw new EnvironmentsError(
      'environments.from_collection',
      `'${old.name}' comes from the collection. Change it in http-client.env.json; here you can set its kind.`,
    );
  }
  store.setKind(old.id, input.kind);
  return old.id;
}

function readName(text: string): string {
  const name = text.trim().normalize('NFC');
  // Names stand in files, on the command line and in settings: nothing invisible, nothing that reads as a flag.
  if (name === '' || /^[-$]/.test(name) || /[\p{Cc}\p{Cf}/\\]/u.test(name)) {
    throw new EnvironmentsError(
      'environments.bad_name',
      'The name must not be empty, begin with - or $, or hold slashes or invisible characters.',
    );
  }
  return name;
}

function withoutBuiltIn(variables: Record<string, string>): StoredEnvironment['variables'] {
  return Object.fromEntries(
    Object.entries(variables).filter(([key]) => key !== 'base_url' && key !== 'last_reference'),
  );
}
