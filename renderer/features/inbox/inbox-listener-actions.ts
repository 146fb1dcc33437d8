import type { ListenerStatus } from '@shared/contract/inbox';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import type { SetInbox } from './inbox-store';

export interface ListenerActions {
  loadListener(): Promise<void>;
  /** Changes what webhooks are answered with. True: the rule is in force. */
  setRule(rule: ListenerStatus['rule']): Promise<boolean>;
  /** Starts the listener on a port, or on the one it had. */
  startListener(port?: number): Promise<void>;
  stopListener(): Promise<void>;
}

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
    setRule: (rule) => run(() => call('listener.setRule', rule)),
    startListener: async (port) => {
      await run(() => call('listener.start', port === undefined ? {} : { port }));
    },
    stopListener: async () => {
      await run(() => call('listener.stop'));
    },
  };
}
