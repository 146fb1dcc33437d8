import { quoteFilterText } from '@shared/webhooks/filter/quote-filter-text';
import { writeWebhookAsCurl } from '@shared/webhooks/write-webhook';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { copyAndSay, say } from '../../ui/say';
import { keepWanted, mapParts } from './inbox-rows';
import {
  nothingBeside,
  nothingSelected,
  type DetailActions,
  type GetInbox,
  type SetInbox,
} from './inbox-state';
import { runReplays } from './replay-run';
import { mayMark } from './team/team-store';

const attemptsLimit = 100;
/** Where the listener stands as long as nobody moved it. */
const usualListener = 'http://127.0.0.1:4020';
/** Rows chosen in quicker succession are passed by: a key is held down, and the one where it stops is read. */
const passingMs = 150;

/** Waits where another row was on show, or was drawn, a moment ago. */
function createPace() {
  let markedAt = -Infinity;
  const mark = (): void => void (markedAt = performance.now());
  return {
    mark,
    async passBy(): Promise<void> {
      const isPassing = performance.now() - markedAt < passingMs;
      mark();
      if (isPassing) await new Promise((resolve) => setTimeout(resolve, passingMs));
    },
  };
}

/** What the right half does. A later selection wins over an answer that comes late. */
export function createDetailActions(set: SetInbox, get: GetInbox): DetailActions {
  const pace = createPace();
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
      const { store } = get();
      const isSame = get().detail?.id === id;
      set(({ rows, far, filter }) => ({
        ...mapParts({ rows, far }, (part) => keepWanted(part, filter, id)),
        selectedId: id,
        detailPhase: isSame ? 'ready' : 'loading',
        detailError: null,
        ...(isSame ? {} : nothingBeside),
      }));
      if (isSame) return;
      await pace.passBy();
      if (get().selectedId !== id || get().store !== store) return;
      try {
        const detail = await call('inbox.get', { store, id });
        if (get().selectedId !== id || get().store !== store) return;
        set({ detail, detailPhase: 'ready' });
        pace.mark();
        await Promise.all([
          detail.isRead || !mayMark(store) ? null : get().markRead([id], true),
          detail.answers ? loadExchange(id, detail.answers.exchangeId) : null,
        ]);
      } catch (error) {
        if (get().selectedId === id) {
          set({ detail: null, detailPhase: 'failed', detailError: toClientError(error) });
        }
      }
    },
    readWhole: async (webhook) =>
      webhook.isBodyCut ? call('inbox.get', { store: get().store, id: webhook.id, isWhole: true }) : webhook,
    clearSelection: () => set(nothingSelected),
    ...createReplayActions(set, get),
    copyAsCurl: (id) => copyAsCurl(id, get),
    explainSignature: () => explainSignature(set, get),
    loadAttempts: async () => {
      const { detail } = get();
      if (!detail) return;
      if (detail.webhookId === null) {
        set({ attempts: [] });
        return;
      }
      try {
        const page = await call('inbox.list', {
          store: get().store,
          filter: `webhook_id == ${quoteFilterText(detail.webhookId)}`,
          limit: attemptsLimit,
        });
        if (get().selectedId !== detail.id) return;
        set({
          attempts: page.webhooks.filter((row) => row.id !== detail.id),
        });
      } catch (error) {
        if (get().selectedId === detail.id) set({ attempts: [], detailError: toClientError(error) });
      }
    },
  };
}

async function copyAsCurl(id: string, get: GetInbox): Promise<void> {
  const { store, listener } = get();
  try {
    const webhook = await call('inbox.get', { store, id, isWhole: true });
    await copyAndSay(writeWebhookAsCurl(webhook, listener?.url ?? usualListener));
  } catch (error) {
    say(toClientError(error).message);
  }
}

async function explainSignature(set: SetInbox, get: GetInbox): Promise<void> {
  const { detail, store } = get();
  if (!detail) return;
  set({ explained: 'looking' });
  const explained = await call('inbox.explainSignature', { store, id: detail.id }).catch(
    (error: unknown) => ({ error: toClientError(error) }),
  );
  if (get().selectedId === detail.id && get().store === store) set({ explained });
}

/** Sends the webhook on show again, and puts another beside it. */
function createReplayActions(
  set: SetInbox,
  get: GetInbox,
): Pick<DetailActions, 'replay' | 'loadReplays' | 'compareWith'> {
  /** What was put beside the one on show last counts, in whatever order the answers come. */
  let comparison = 0;
  return {
    replay: async (order, signal, onTally) => {
      try {
        await runReplays({ ...order, store: get().store }, signal, onTally).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
        const { detail } = get();
        if (detail && order.ids.includes(detail.id)) set(({ replayed }) => ({ replayed: replayed + 1 }));
      } finally {
        // One that found nobody is kept, too.
        if (get().replays !== null) await get().loadReplays();
      }
    },
    loadReplays: async () => {
      const { detail } = get();
      if (!detail) return;
      try {
        const { replays } = await call('inbox.replays', { store: get().store, id: detail.id });
        if (get().selectedId === detail.id) set({ replays });
      } catch (error) {
        if (get().selectedId === detail.id) set({ replays: [], detailError: toClientError(error) });
      }
    },
    compareWith: async (id) => {
      const mine = ++comparison;
      const { store, selectedId } = get();
      const isWanted = (): boolean =>
        mine === comparison && get().selectedId === selectedId && get().store === store;
      try {
        const compared = id === null ? null : await call('inbox.get', { store, id });
        if (isWanted()) set({ compared });
      } catch (error) {
        if (isWanted()) set({ compared: null });
        // The one on show stands, and its pane has nothing to say of another.
        say(toClientError(error).message);
      }
    },
  };
}
