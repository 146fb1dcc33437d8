import type { ListenerStatus } from '@shared/contract/inbox';
import { afterReconnect, call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { followState } from '../../transport/follow-state';
import type { ListenerActions, SetInbox } from './inbox-state';

/** What the answering strip does; whatever fails stands in `listenerError`. */
export function createListenerActions(set: SetInbox): ListenerActions {
  const followed = followState('listener.changed', (listener) => {
    if (listener.id === 'main') set({ listener });
  });
  const run = async (act: () => Promise<ListenerStatus>): Promise<boolean> => {
    set({ isListenerBusy: true, listenerError: null });
    try {
      await followed.takeAnswer(act);
      set({ isListenerBusy: false });
      return true;
    } catch (error) {
      set({ listenerError: toClientError(error), isListenerBusy: false });
      return false;
    }
  };
  const load = (): Promise<boolean> => run(() => call('listener.status'));
  return {
    followListener: () => {
      void load();
      const stops = [followed.start(), afterReconnect(() => void load())];
      return () => stops.forEach((stop) => stop());
    },
    setRules: async (text) => void (await followed.takeAnswer(() => call('listener.setRules', { text }))),
    setRule: (rule) => run(() => call('listener.setRule', rule)),
    startListener: async (port) => {
      await run(() => call('listener.start', port === undefined ? {} : { port }));
    },
    stopListener: async () => {
      await run(() => call('listener.stop'));
    },
  };
}
