import type { Product } from '@shared/payments/tables/products';
import { call } from '../../transport/client';
import type { TokenActions, GetKeys, SetKeys } from './keys-state';

/** Longest time that a whole token stands on the screen, whatever the back end says. */
const longestShowMs = 10_000;

/** What can be done with tokens and with the credentials that fetch them. */
export function createTokenActions(set: SetKeys, get: GetKeys): TokenActions {
  let hideTimer: ReturnType<typeof setTimeout> | null = null;
  /** What was asked for before it was hidden is not shown any more. */
  let turn = 0;
  const hideToken = (): void => {
    turn += 1;
    if (hideTimer) clearTimeout(hideTimer);
    hideTimer = null;
    if (get().revealed) set({ revealed: null });
  };

  return {
    hideToken,
    fetchToken: async (environment, product, isForced) => {
      hideToken();
      const token = await call('tokens.fetch', { environment, product, isForced });
      const isOther = (one: { environment: string; product: Product }): boolean =>
        one.environment !== environment || one.product !== product;
      set(({ tokens }) => ({ tokens: [...tokens.filter(isOther), token] }));
    },
    forgetToken: async (environment, product) => {
      hideToken();
      await call('tokens.forget', { environment, product });
      await get().load();
    },
    revealToken: async (environment, product) => {
      hideToken();
      const mine = turn;
      const { token, hideAfterMs } = await call('tokens.reveal', { environment, product });
      if (mine !== turn) return;
      const showMs = Math.min(hideAfterMs, longestShowMs);
      set({ revealed: { environment, product, token, hideAt: Date.now() + showMs } });
      hideTimer = setTimeout(hideToken, showMs);
    },
    saveCredentials: async (input) => {
      await call('credentials.save', input);
      await get().load();
    },
    deleteCredentials: async (environment, product) => {
      await call('credentials.delete', { environment, product });
      await get().load();
    },
  };
}
