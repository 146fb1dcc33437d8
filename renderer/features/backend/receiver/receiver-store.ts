import type { ReceiverStatus } from '@shared/contract/receiver';
import { receiverScenarioNames, type ReceiverScenario } from '@shared/receiver-check/receiver-scenarios';
import { writeReceiverHtml, writeReceiverJunit } from '@shared/receiver-check/write-reports';
import { create } from 'zustand';
import { afterReconnect, call } from '../../../transport/client';
import { followState } from '../../../transport/follow-state';
import { toClientError, type ClientError } from '../../../transport/client-error';
import { saveFile } from '../../../ui/save-file';
import { shownAddress } from './receiver-selectors';

export interface ReceiverStoreState {
  status: ReceiverStatus | null;
  error: ClientError | null;
  url: string;
  stateUrl: string;
  /** Lives here alone: it is sent with a check, and kept by nobody. */
  secret: string;
  chosen: ReadonlySet<ReceiverScenario>;

  start(): () => void;
  change(change: Partial<Pick<ReceiverStoreState, 'url' | 'stateUrl' | 'secret'>>): void;
  choose(scenario: ReceiverScenario, isChosen: boolean): void;
  chooseAll(isChosen: boolean): void;
  check(): Promise<void>;
  /** Plays those again that failed, and keeps what the others showed. */
  rerunFailed(): Promise<void>;
  cancel(): Promise<void>;
  save(format: 'junit' | 'html'): void;
}

/** One check of a webhook receiver: what it is to play, and each verdict as it comes. */
export const useReceiverStore = create<ReceiverStoreState>()((set, get) => {
  const followed = followState('receiver.changed', (status) => set({ status }));
  const play = async (scenarios: readonly ReceiverScenario[], isRerun: boolean): Promise<void> => {
    const { url, stateUrl, secret } = get();
    set({ error: null });
    try {
      await followed.takeAnswer(() =>
        call('receiver.check', {
          url,
          stateUrl: stateUrl.trim() === '' ? null : stateUrl,
          secret: secret.trim() === '' ? null : secret.trim(),
          scenarios: [...scenarios],
          isRerun,
        }),
      );
    } catch (error) {
      set({ error: toClientError(error) });
    }
  };
  return {
    status: null,
    error: null,
    url: '',
    stateUrl: '',
    secret: '',
    chosen: new Set(receiverScenarioNames),
    start: () => {
      const read = async (): Promise<void> => {
        try {
          const status = await followed.takeAnswer(() => call('receiver.status'));
          const { url, stateUrl } = get();
          set({ url: url || status.url, stateUrl: stateUrl || status.stateUrl });
        } catch (error) {
          set({ error: toClientError(error) });
        }
      };
      const stops = [followed.start(), afterReconnect(() => void read())];
      void read();
      return () => stops.forEach((stop) => stop());
    },
    change: (change) => set({ ...change, error: null }),
    choose: (scenario, isChosen) => {
      const chosen = new Set(get().chosen);
      if (isChosen) chosen.add(scenario);
      else chosen.delete(scenario);
      set({ chosen });
    },
    chooseAll: (isChosen) => set({ chosen: new Set(isChosen ? receiverScenarioNames : []) }),
    check: () => play([...get().chosen], false),
    rerunFailed: () => {
      const failed = (get().status?.results ?? []).filter(({ verdict }) => verdict === 'fail');
      return play(
        failed.map(({ scenario }) => scenario),
        true,
      );
    },
    cancel: async () => {
      try {
        await call('receiver.cancel');
      } catch (error) {
        set({ error: toClientError(error) });
      }
    },
    save: (format) => {
      const { url = '', results = [] } = get().status ?? {};
      const address = shownAddress(url);
      if (format === 'junit')
        saveFile('receiver-check.xml', writeReceiverJunit(address, results), 'text/xml');
      else saveFile('receiver-check.html', writeReceiverHtml(address, results), 'text/html');
    },
  };
});
