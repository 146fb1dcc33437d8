import { call } from '../../transport/client';
import type { VaultActions, GetKeys, SetKeys } from './keys-state';

/** What can be done with the vault as a whole. */
export function createVaultActions(set: SetKeys, get: GetKeys): VaultActions {
  return {
    unlock: async (passphrase) => {
      set({ vault: await call('vault.unlock', { passphrase }) });
      await get().load();
    },
    lock: async () => {
      get().hideToken();
      set({ vault: await call('vault.lock') });
      await get().load();
    },
    setPassphrase: async (current, next) => {
      set({ vault: await call('vault.setPassphrase', { current, next }) });
    },
  };
}
