import { create } from 'zustand';
import { soon } from '../../session/soon';
import { whenInFront } from '../../session/when-in-front';
import { afterReconnect, call, subscribe } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import type { KeysState } from './keys-state';
import { createKeyActions } from './key-actions';
import { createTokenActions } from './token-actions';
import { createVaultActions } from './vault-actions';

/** Keys, credentials, tokens and the vault that holds them; no secret stays here but a token on show. */
export const useKeysStore = create<KeysState>()((set, get) => {
  /** What a locked vault refuses to list is shown as empty, since the vault's own state says why. */
  const listOr = async <T>(list: Promise<T>, empty: T): Promise<T> => {
    try {
      return await list;
    } catch (error) {
      const { code } = toClientError(error);
      if (code === 'vault.locked' || code === 'vault.unreadable') return empty;
      throw error;
    }
  };

  const load = async (): Promise<void> => {
    if (get().phase !== 'ready') set({ phase: 'loading' });
    try {
      const [vault, keys, credentials, tokens, environments] = await Promise.all([
        call('vault.status'),
        listOr(call('keys.list'), { keys: [] }),
        listOr(call('credentials.list'), { credentials: [] }),
        listOr(call('tokens.list'), { tokens: [] }),
        call('environments.list'),
      ]);
      set({ vault, ...keys, ...credentials, ...tokens, ...environments, phase: 'ready', error: null });
    } catch (error) {
      set({ phase: 'failed', error: toClientError(error) });
    }
  };

  const refreshSoon = soon(load, 100);

  return {
    phase: 'idle',
    error: null,
    vault: null,
    keys: [],
    credentials: [],
    tokens: [],
    environments: [],
    selected: null,
    repairs: null,
    revealed: null,
    load,
    start: () => {
      const stops = [
        subscribe('vault.changed', refreshSoon),
        subscribe('environments.changed', refreshSoon),
        afterReconnect(refreshSoon),
        whenInFront(refreshSoon),
      ];
      void load();
      return () => {
        stops.forEach((stop) => stop());
        get().hideToken();
      };
    },
    choose: (selected) => {
      get().hideToken();
      set({ selected });
    },
    ...createKeyActions(set, get),
    ...createTokenActions(set, get),
    ...createVaultActions(set, get),
  };
});
