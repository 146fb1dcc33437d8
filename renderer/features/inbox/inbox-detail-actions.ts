import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { keepWanted } from './inbox-rows';
import type { DetailActions, GetInbox, SetInbox } from './inbox-state';

const attemptsLimit = 100;

/** What the right half does. A later selection wins over an answer that comes late. */
export function createDetailActions(set: SetInbox, get: GetInbox): DetailActions {
  const loadExchange = async (id: string, exchangeId: string): Promise<void> => {
    try {
      const exchange = await call('history.get', { id: exchangeId, isForScreen: true });
      if (get().selectedId === id) set({ exchange });
    } catch {
      // Only what is compared with the request is missing then; the webhook itself stands.
      if (get().selectedId === id) set({ exchange: null });
    }
  };

  return {
    select: async (id) => {
      const isSame = get().detail?.id === id;
      set(({ rows, filter }) => ({
        rows: keepWanted(rows, filter, id),
        selectedId: id,
        detailPhase: isSame ? 'ready' : 'loading',
        detailError: null,
        ...(isSame ? {} : { attempts: null, exchange: null }),
      }));
      if (isSame) return;
      try {
        const detail = await call('inbox.get', { id });
        if (get().selectedId !== id) return;
        set({ detail, detailPhase: 'ready' });
        await Promise.all([
          detail.isRead ? null : get().markRead([id], true),
          detail.answers ? loadExchange(id, detail.answers.exchangeId) : null,
        ]);
      } catch (error) {
        if (get().selectedId === id) {
          set({ detail: null, detailPhase: 'failed', detailError: toClientError(error) });
        }
      }
    },
    readWhole: async (webhook) =>
      webhook.isBodyCut ? call('inbox.get', { id: webhook.id, isWhole: true }) : webhook,
    clearSelection: () =>
      set({
        selectedId: null,
        detail: null,
        detailPhase: 'idle',
        detailError: null,
        attempts: null,
        exchange: null,
      }),
    loadAttempts: async () => {
      const { detail } = get();
      if (!detail) return;
      if (detail.webhookId === null) {
        set({ attempts: [] });
        return;
      }
      try {
        const page = await call('inbox.list', { search: detail.webhookId, limit: attemptsLimit });
        if (get().selectedId !== detail.id) return;
        set({
          attempts: page.webhooks.filter((row) => row.webhookId === detail.webhookId && row.id !== detail.id),
        });
      } catch (error) {
        set({ attempts: [], detailError: toClientError(error) });
      }
    },
  };
}
