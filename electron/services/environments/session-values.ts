import type { Environment, EnvironmentRecord } from '@shared/contract/environments';
import { writeVaultReference } from '@shared/http-file/vault-reference';
import { isSecretName } from '@shared/secrets';
import { errorsOf } from '../errors-of';
import { findAddressChange, readAddress } from './address-binding';

const EnvironmentsError = errorsOf<'environments.setSessionValue'>();

const MOST_VALUES = 200;

/** Values that hold until the app ends, by environment: in memory alone. */
export interface SessionValues {
  /** As they may be shown: references in the place of secrets. */
  show(id: string): Environment['session'];
  /** The value of a secret one; null: there is none. @throws {AppError} `environments.address_changed` */
  readSecret(environment: EnvironmentRecord, name: string): string | null;
  /** A secret one is for the address of now. @param value - null takes it back @throws {AppError} `environments.bad_name` */
  set(environment: EnvironmentRecord, name: string, value: string | null): void;
  /** The secret ones, to be masked wherever they come back. */
  listSecrets(id: string): string[];
  forget(id: string): void;
  /** After a rename. */
  move(from: string, to: string): void;
}

/** A value, and the address of its environment when it was set. */
interface SessionValue {
  readonly value: string;
  readonly address: string;
}

/** Keeps the values that are set in the app for this run. */
export function createSessionValues(): SessionValues {
  const values = new Map<string, Map<string, SessionValue>>();
  return {
    show: (id) =>
      Object.fromEntries(
        [...(values.get(id) ?? [])].map(([name, { value }]) => [
          name,
          isSecretName(name) && value !== '' ? writeVaultReference(name) : value,
        ]),
      ),
    readSecret(environment, name) {
      const found = isSecretName(name) ? values.get(environment.id)?.get(name) : undefined;
      if (found === undefined) return null;
      refuseElsewhere(environment, name, found.address);
      return found.value;
    },
    set({ id, baseUrl }, name, value) {
      const own = values.get(id) ?? new Map<string, SessionValue>();
      if (value === null) own.delete(name);
      else {
        refuseName(name, own);
        own.set(name, { value, address: readAddress(baseUrl) });
      }
      values.set(id, own);
    },
    listSecrets: (id) =>
      [...(values.get(id) ?? [])].flatMap(([name, { value }]) =>
        isSecretName(name) && value !== '' ? [value] : [],
      ),
    forget: (id) => void values.delete(id),
    move(from, to) {
      const own = values.get(from);
      values.delete(from);
      if (own !== undefined) values.set(to, own);
    },
  };
}

/** A collection's file may give its environment another address at any time: what was typed for one is for that one. */
function refuseElsewhere(environment: EnvironmentRecord, name: string, address: string): void {
  const change = findAddressChange(environment, true, address);
  if (change === null) return;
  const now = change.to === '' ? 'has no address now' : `is at ${change.to} now`;
  throw new EnvironmentsError(
    'environments.address_changed',
    `${name} was set for this run while '${environment.label}' ${address === '' ? 'had no address' : `was at ${address}`}, and it ${now}. ` +
      'Its value is not used. If the new address is right, set it again in Environments; if not, put the address back.',
    { details: { environment: environment.id, name, ...change } },
  );
}

function refuseName(name: string, own: ReadonlyMap<string, SessionValue>): void {
  const refuse = (message: string): never => {
    throw new EnvironmentsError('environments.bad_name', message, { details: { name: name.slice(0, 80) } });
  };
  if (name === 'base_url') {
    refuse(
      'base_url is the environment’s own address: change it there, and key and credentials stay where they belong.',
    );
  }
  if (!/^[A-Za-z_][\w.-]*$/.test(name) || /^(?:vault|token)\./.test(name) || name === 'signature') {
    refuse(
      'A value’s name begins with a letter and holds letters, digits, _ . and -; signature, token. and vault. are taken.',
    );
  }
  if (own.size >= MOST_VALUES && !own.has(name)) {
    refuse(`There are ${MOST_VALUES} values for this run already. Take one back first.`);
  }
}
