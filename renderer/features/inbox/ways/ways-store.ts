import type { ForwardingStatus } from '@shared/contract/forwarding';
import { create } from 'zustand';
import { closeTunnel, openTunnel } from '../../../session/tunnel';
import { afterReconnect, call } from '../../../transport/client';
import { followState } from '../../../transport/follow-state';
import { toClientError, type ClientError } from '../../../transport/client-error';

interface WaysState {
  forwarding: ForwardingStatus | null;
  error: ClientError | null;
  /** Loads, then follows the events; the returned function stops following. */
  start(): () => void;
  /** @throws {ClientError} where the address or the filter is refused */
  setForwarding(chosen: { isOn: boolean; url: string; filter: string }): Promise<void>;
  sendMissed(): Promise<void>;
  /** @throws {ClientError} where the way is none, or its program is not there */
  openTunnel(way: string): Promise<void>;
  closeTunnel(): Promise<void>;
}

/** The ways into the listener from outside, and on from it to the user's backend. */
export const useWaysStore = create<WaysState>()((set) => {
  const forwarding = followState('forwarding.changed', (told) => set({ forwarding: told }));
  const run = async (act: () => Promise<void>): Promise<void> => {
    try {
      await act();
      set({ error: null });
    } catch (error) {
      set({ error: toClientError(error) });
    }
  };
  return {
    forwarding: null,
    error: null,
    start: () => {
      const read = (): void => {
        void run(async () => void (await forwarding.takeAnswer(() => call('forwarding.status'))));
      };
      const stops = [forwarding.start(), afterReconnect(read)];
      read();
      return () => stops.forEach((stop) => stop());
    },
    setForwarding: async (chosen) => {
      await forwarding.takeAnswer(() => call('forwarding.set', chosen));
      set({ error: null });
    },
    sendMissed: () =>
      run(async () => {
        await call('forwarding.sendMissed');
        await forwarding.takeAnswer(() => call('forwarding.status'));
      }),
    openTunnel: async (way) => {
      await openTunnel(way);
      set({ error: null });
    },
    closeTunnel: () => run(closeTunnel),
  };
});
