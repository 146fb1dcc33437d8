import type { KeySummary } from '@shared/contract/vault';
import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { call } from '../../transport/client';
import type { GetKeys, SetKeys } from './keys-store';

/** Each throws a ClientError, which the form that asked shows beside its fields. */
export interface KeyActions {
  generate(input: MethodInput<'keys.generate'>): Promise<KeySummary>;
  importKey(input: MethodInput<'keys.import'>): Promise<KeySummary>;
  inspect(text: string, passphrase?: string): Promise<MethodOutput<'keys.inspect'>>;
  updateKey(input: MethodInput<'keys.update'>): Promise<void>;
  deleteKey(id: string): Promise<void>;
  checkPair(id: string, publicKeyText: string): Promise<MethodOutput<'keys.checkPair'>>;
  /** The private key under a passphrase; the caller saves it and keeps nothing. */
  exportPrivate(input: MethodInput<'keys.exportPrivate'>): Promise<string>;
}

/** What can be done with keys. */
export function createKeyActions(set: SetKeys, get: GetKeys): KeyActions {
  const put = (key: KeySummary): void =>
    set(({ keys }) => ({
      keys: keys.some((one) => one.id === key.id)
        ? keys.map((one) => (one.id === key.id ? key : one))
        : [...keys, key],
    }));

  return {
    generate: async (input) => {
      const key = await call('keys.generate', input);
      put(key);
      get().choose({ kind: 'key', id: key.id });
      return key;
    },
    importKey: async (input) => {
      const { key, repairs } = await call('keys.import', input);
      put(key);
      get().choose({ kind: 'key', id: key.id });
      set({ repairs: repairs.length > 0 ? { keyId: key.id, list: repairs } : null });
      return key;
    },
    inspect: (text, passphrase) => call('keys.inspect', { text, ...(passphrase ? { passphrase } : {}) }),
    updateKey: async (input) => {
      put(await call('keys.update', input));
      // A binding moves: another key of that environment may have lost it.
      await get().load();
    },
    deleteKey: async (id) => {
      await call('keys.delete', { id });
      set(({ keys, selected }) => ({
        keys: keys.filter((one) => one.id !== id),
        selected: selected?.kind === 'key' && selected.id === id ? null : selected,
      }));
      await get().load();
    },
    checkPair: (id, publicKeyText) => call('keys.checkPair', { id, publicKeyText }),
    exportPrivate: async (input) => (await call('keys.exportPrivate', input)).encryptedPem,
  };
}
