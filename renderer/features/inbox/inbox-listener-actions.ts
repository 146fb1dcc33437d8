import type { ListenerStatus } from '@shared/contract/inbox';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import type { ListenerActions, SetInbox } from './inbox-state';

/** What the answering strip does; whatever fails stands in `listenerError`. */
export function createListenerActions(set: SetInbox): ListenerActions {
  const run = async (act: () => Promise<ListenerStatus>): Promise<boolean> => {
    set({ isListenerBusy: true, listenerError: null });
    try {
      set({ listener: await act(), isListenerBusy: false });
      return true;
    } catch (error) {
      set({ listenerError: toClientError(error), isListenerBusy: false });
      return false;
    }
  };
  return {
    loadListener: async () => {
      await run(() => call('listener.status'));
    },
    setRules: async (text) => set({ listener: await call('listener.setRules', { text }) }),
    setRule: (rule) => run(() => call('listener.setRule', rule)),
    startListener: async (port) => {
      await run(() => call('listener.start', port === undefined ? {} : { port }));
    },
    stopListener: async () => {
      await run(() => call('listener.stop'));
    },
  };
}
