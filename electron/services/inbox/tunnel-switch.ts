import type { HandlersOf } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { TunnelStatus } from '@shared/contract/forwarding';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import type { Ports } from '../../platform/ports';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import { startTunnel, type Tunnel, type TunnelState } from '../tunnels/create-tunnel';
import { createProbe } from '../tunnels/probe-address';
import { hasProgram, parseTunnelChoice, requireProgram } from '../tunnels/tunnel-kinds';

const KEY = 'tunnel.way';
const OFF = { state: 'off', url: null, reason: null, latencyMs: null } as const;

/** The app's tunnel to its main address: started when asked for, ended with the app. */
export class TunnelSwitch {
  #tunnel: Tunnel | null = null;
  #state: TunnelState | typeof OFF = OFF;
  #way: string;
  /** The listener's own address, where the tunnel leads to. */
  #address: string | null = null;

  constructor(
    readonly ports: Pick<Ports, 'settings'>,
    readonly worker: () => SupervisedWorker<ListenerWorkerMethods>,
    readonly events: EventBus,
    /** Told of the address that senders outside are to use; null: the listener's own. */
    readonly onPublicAddress: (url: string | null) => void,
  ) {
    const kept = ports.settings.get(KEY);
    this.#way = typeof kept === 'string' ? kept : '';
  }

  status(): TunnelStatus {
    const programs = ['ssh', 'cloudflared', 'ngrok'].filter((name) => hasProgram(name));
    return { ...this.#state, way: this.#way, programs };
  }

  /** The listener has another address, or none any more: the tunnel goes there. */
  async follow(address: string | null): Promise<void> {
    this.#address = address;
    if (this.#tunnel === null) return;
    await this.#end();
    if (address !== null) await this.#begin(address);
  }

  /** @throws {AppError} `tunnels.bad_choice`, `tunnels.not_found` */
  async start(way: string): Promise<TunnelStatus> {
    const choice = parseTunnelChoice(way.trim());
    requireProgram(choice);
    this.ports.settings.set(KEY, way.trim());
    this.#way = way.trim();
    await this.#end();
    if (this.#address !== null) await this.#begin(this.#address);
    else this.#note({ state: 'disconnected', url: null, reason: NO_LISTENER, latencyMs: null });
    return this.status();
  }

  async stop(): Promise<TunnelStatus> {
    await this.#end();
    this.#note(OFF);
    return this.status();
  }

  async #begin(address: string): Promise<void> {
    const probe = createProbe();
    await this.worker().call('setProbe', { probe });
    const { port, protocol } = new URL(address);
    this.#note({ state: 'connecting', url: null, reason: null, latencyMs: null });
    this.#tunnel = startTunnel({
      choice: parseTunnelChoice(this.#way),
      target: { port: Number(port), isHttps: protocol === 'https:' },
      probe,
      onState: (state) => this.#note(state),
    });
  }

  async #end(): Promise<void> {
    const ending = this.#tunnel;
    this.#tunnel = null;
    await ending?.stop();
  }

  #note(state: TunnelState | typeof OFF): void {
    const before = this.#state;
    this.#state = state;
    if (before.url !== state.url) this.onPublicAddress(state.url);
    const isNews = before.state !== state.state || before.url !== state.url || before.reason !== state.reason;
    if (isNews) this.events.emit('tunnel.changed', this.status());
  }
}

const NO_LISTENER = 'The listener is stopped. Start it, and the tunnel again.';

export function createTunnelHandlers(tunnel: TunnelSwitch): HandlersOf<'tunnel'> {
  return {
    'tunnel.status': () => tunnel.status(),
    'tunnel.start': ({ way }) => tunnel.start(way),
    'tunnel.stop': () => tunnel.stop(),
  };
}
