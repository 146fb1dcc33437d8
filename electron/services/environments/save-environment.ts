import type { ParsedInput } from '@shared/contract/contract';
import type { EnvironmentRecord } from '@shared/contract/environments';
import {
  environmentPlaces,
  formatEnvironmentId,
  localEnvironmentId,
  longestEnvironmentName,
  nameTooLong,
} from '@shared/contract/environment-id';
import { errorsOf } from '../errors-of';
import { refuseInsecure } from './address-binding';
import { readBaseUrl } from './base-url';
import type { EnvironmentStore } from './environment-store';
import type { StoredEnvironment } from './secret-variables';

const EnvironmentsError = errorsOf<'environments'>();

export type SaveInput = ParsedInput<'environments.save'>;

/** What an environment is saved among. */
export interface SaveSurroundings {
  /** Of the data directory's environments. */
  names: readonly string[];
  /** Ids under which a shared one had the mark that it has by its address. */
  movedMarks: readonly string[];
  /** Of the listener, which the environment follows where it says the same. */
  callbackUrl: string;
  /** What nothing tells the address of may be kept without: no secret of it is sent anywhere. */
  mayLackAddress?: boolean;
  /** Puts secrets away; gives what may be written. */
  seal(environment: StoredEnvironment): Promise<StoredEnvironment>;
}

/**
 * Checks what is to be saved and keeps it in the settings.
 *
 * @param old - the one that is changed; null: a new one
 * @returns id under which it is kept
 * @throws {AppError} `environments.bad_name`, `.reserved`, `.exists`, `.bad_url`, `.insecure`, `.from_collection`, `.not_sealed`
 */
export async function saveEnvironment(
  store: Pick<EnvironmentStore, 'put' | 'setKind'>,
  input: SaveInput,
  old: EnvironmentRecord | null,
  { names, movedMarks, callbackUrl, mayLackAddress, seal }: SaveSurroundings,
): Promise<string> {
  if (old?.source === 'collection') return keepKindOfShared(store, old, input, movedMarks);
  const { name, baseUrl } = checkEnvironment(input, old, names, mayLackAddress);
  const variables = withoutBuiltIn(input.variables);
  // It is shown with the rest; saved as it stands, it would no longer follow the listener.
  if (variables['callback_url'] === callbackUrl) delete variables['callback_url'];
  const inClear = input.inClear.filter((one) => Object.hasOwn(variables, one));
  const sealed = await seal({ name, kind: input.kind, baseUrl, variables, inClear });
  store.put(old?.name ?? name, sealed);
  return formatEnvironmentId(environmentPlaces.data, name);
}

/**
 * Checks name and address of an own environment that is to be saved.
 *
 * @param names - of the data directory's environments
 * @throws {AppError} `environments.bad_name`, `.reserved`, `.exists`, `.bad_url`, `.insecure`
 */
export function checkEnvironment(
  input: Pick<SaveInput, 'name' | 'kind' | 'baseUrl'>,
  old: Pick<EnvironmentRecord, 'name' | 'source'> | null,
  names: readonly string[],
  mayLackAddress = false,
): { name: string; baseUrl: string } {
  const name = readName(input.name);
  if (name.length > longestEnvironmentName) throw new EnvironmentsError('environments.bad_name', nameTooLong);
  refuseName(name, old, names);
  const baseUrl = mayLackAddress && input.baseUrl === '' ? '' : readBaseUrl(input.baseUrl);
  refuseInsecure({ kind: input.kind, baseUrl, source: 'data' });
  return { name, baseUrl };
}

function refuseName(
  name: string,
  old: Pick<EnvironmentRecord, 'name' | 'source'> | null,
  names: readonly string[],
): void {
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
  store: Pick<EnvironmentStore, 'setKind'>,
  old: EnvironmentRecord,
  input: SaveInput,
  movedMarks: readonly string[],
): string {
  const isSame =
    readName(input.name) === old.name &&
    input.baseUrl.replace(/(?<!\/)\/+$/, '') === old.baseUrl &&
    Object.entries(input.variables).every(([key, value]) => old.variables[key] === value);
  if (!isSame) {
    throw new EnvironmentsError(
      'environments.from_collection',
      `'${old.label}' comes from the collection. Change it in http-client.env.json; here you can set its kind.`,
    );
  }
  store.setKind(old, input.kind, movedMarks);
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
