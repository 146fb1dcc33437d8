import type { KeySummary } from '@shared/contract/vault';
import { call } from '../../transport/client';
import type { KeyActions, GetKeys, SetKeys } from './keys-state';

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
