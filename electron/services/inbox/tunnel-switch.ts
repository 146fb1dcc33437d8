import type { HandlersOf } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { TunnelStatus } from '@shared/contract/forwarding';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import type { Ports } from '../../platform/ports';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import { toErrorReply } from '@shared/errors';
import { createTurns } from '../../platform/create-turns';
import { startTunnel, type Tunnel, type TunnelState } from '../tunnels/create-tunnel';
import { createProbe } from '../tunnels/probe-address';
import { hasProgram, parseTunnelChoice, requireProgram } from '../tunnels/tunnel-kinds';

const KEY = 'tunnel.way';
const OFF = { state: 'off', url: null, reason: null, latencyMs: null } as const;

/** The app's tunnel to its main address: started when asked for, ended with the app. */
export class TunnelSwitch {
  #tunnel: Tunnel | null = null;
  /** It is wanted: it goes where the listener goes. */
  #isOn = false;
  /** Counts what was asked for: of several wishes the latest alone begins a tunnel. */
  #wish = 0;
  readonly #inTurn = createTurns();
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

  /** The listener has another address, or none any more: the tunnel goes there. What fails stands in the status. */
  async follow(address: string | null): Promise<void> {
    this.#address = address;
    if (!this.#isOn) return;
    if (address === null) this.#noteLost(NO_LISTENER);
    await this.#lead().catch((error: unknown) => this.#noteLost(toErrorReply(error).message));
  }

  /** @throws {AppError} `tunnels.bad_choice`, `tunnels.not_found` */
  async start(way: string): Promise<TunnelStatus> {
    const choice = parseTunnelChoice(way.trim());
    requireProgram(choice);
    this.ports.settings.set(KEY, way.trim());
    this.#way = way.trim();
    this.#isOn = true;
    await this.#lead();
    return this.status();
  }

  async stop(): Promise<TunnelStatus> {
    this.#isOn = false;
    this.#wish += 1;
    await this.#inTurn(() => this.#end());
    if (!this.#isOn) this.#note(OFF);
    return this.status();
  }

  /** Ends the tunnel, and begins it anew to where the listener is now. */
  #lead(): Promise<void> {
    const wish = ++this.#wish;
    return this.#inTurn(async () => {
      await this.#end();
      if (wish !== this.#wish) return;
      if (this.#address === null) this.#noteLost(NO_LISTENER);
      else await this.#begin(this.#address, wish);
    });
  }

  async #begin(address: string, wish: number): Promise<void> {
    const probe = createProbe();
    await this.worker().call('setProbe', { probe });
    // Switched off, or the listener has gone elsewhere.
    if (wish !== this.#wish) return;
    const { port, protocol } = new URL(address);
    this.#note({ state: 'connecting', url: null, reason: null, latencyMs: null });
    this.#tunnel = startTunnel({
      choice: parseTunnelChoice(this.#way),
      target: { port: Number(port), isHttps: protocol === 'https:' },
      probe,
      onState: (state) => this.#note(state),
    });
  }

  #noteLost(reason: string): void {
    this.#note({ state: 'disconnected', url: null, reason, latencyMs: null });
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

const NO_LISTENER = 'The listener is stopped. Start it: the tunnel follows.';

export function createTunnelHandlers(tunnel: TunnelSwitch): HandlersOf<'tunnel'> {
  return {
    'tunnel.status': () => tunnel.status(),
    'tunnel.start': ({ way }) => tunnel.start(way),
    'tunnel.stop': () => tunnel.stop(),
  };
}
