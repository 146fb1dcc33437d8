import type { ForwardingStatus, TunnelStatus } from '@shared/contract/forwarding';
import { create } from 'zustand';
import { call, subscribe } from '../../../transport/client';
import { toClientError, type ClientError } from '../../../transport/client-error';

interface WaysState {
  forwarding: ForwardingStatus | null;
  tunnel: TunnelStatus | null;
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
  const run = async (act: () => Promise<Partial<WaysState>>): Promise<void> => {
    try {
      set({ error: null, ...(await act()) });
    } catch (error) {
      set({ error: toClientError(error) });
    }
  };
  return {
    forwarding: null,
    tunnel: null,
    error: null,
    start: () => {
      const stops = [
        subscribe('forwarding.changed', (forwarding) => set({ forwarding })),
        subscribe('tunnel.changed', (tunnel) => set({ tunnel })),
      ];
      void run(async () => ({ forwarding: await call('forwarding.status') }));
      void run(async () => ({ tunnel: await call('tunnel.status') }));
      return () => stops.forEach((stop) => stop());
    },
    setForwarding: async (chosen) => {
      const forwarding = await call('forwarding.set', chosen);
      set({ forwarding, error: null });
    },
    sendMissed: () =>
      run(async () => {
        await call('forwarding.sendMissed');
        return { forwarding: await call('forwarding.status') };
      }),
    openTunnel: async (way) => {
      const tunnel = await call('tunnel.start', { way });
      set({ tunnel, error: null });
    },
    closeTunnel: () => run(async () => ({ tunnel: await call('tunnel.stop') })),
  };
});
