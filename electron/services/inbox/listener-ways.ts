import type { ForwardingFacts, ListenerWorkerMethods } from '../../listener/listener-worker';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import type { InboxDeps } from './inbox-deps';
import { createForwardingHandlers, ForwardingSwitch } from './forwarding-switch';
import { createTunnelHandlers, TunnelSwitch } from './tunnel-switch';

/** The ways into the listener from outside, and on from it to the user's backend. */
export interface ListenerWays {
  readonly handlers: ReturnType<typeof createForwardingHandlers> & ReturnType<typeof createTunnelHandlers>;
  /** Told by the worker. */
  noteForwarding(facts: ForwardingFacts): void;
  /** The listener has another address; null: none. */
  followAddress(url: string | null): void;
  /** Forwards again what was forwarded before. */
  resume(): Promise<void>;
  stop(): Promise<unknown>;
}

export function createListenerWays(
  { ports, events, onAddress }: InboxDeps,
  worker: () => SupervisedWorker<ListenerWorkerMethods>,
): ListenerWays {
  let address: string | null = null;
  let publicAddress: string | null = null;
  const tell = (): void => onAddress?.(publicAddress ?? address, publicAddress !== null);
  const forwarding = new ForwardingSwitch(ports, worker, events);
  const tunnel = new TunnelSwitch(ports, worker, events, (url) => {
    publicAddress = url;
    tell();
  });
  return {
    handlers: { ...createForwardingHandlers(forwarding, worker), ...createTunnelHandlers(tunnel) },
    noteForwarding: (facts) => forwarding.note(facts),
    followAddress(url) {
      address = url;
      tell();
      void tunnel.follow(url);
    },
    resume: () => forwarding.resume(),
    stop: () => tunnel.stop(),
  };
}
