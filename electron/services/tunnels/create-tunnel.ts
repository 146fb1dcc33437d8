import type { TunnelProbe } from '../../listener/webhook-server';
import { probeAddress } from './probe-address';
import { planTunnel, type TunnelChoice, type TunnelPlan, type TunnelTarget } from './tunnel-kinds';
import { resolveSshHostname, startTunnelProcess, type TunnelProcess } from './tunnel-process';
import { endSentence } from '@shared/end-sentence';

/** A dead tunnel is told within five seconds: two probes fail, one right after the other. */
const PROBE_EVERY_MS = 1000;
const PROBE_AGAIN_MS = 200;
const PROBE_LIMIT_MS = 1500;
const FAILURES_TO_TELL = 2;
/** A program that is still there may bring its tunnel back by itself for so long; then it is started again. */
const SELF_HELP_MS = 5000;
/** So long a program may take to print an address that answers. */
const CONNECT_MS = 25_000;
const BACK_OFF_MS = [500, 1000, 2000, 4000, 8000, 10_000];
/** A tunnel that stood so long begins with the shortest pause again. */
const STABLE_MS = 30_000;
/** Of the addresses that a program prints, the latest so many are asked. */
const MOST_CANDIDATES = 5;

/** How a tunnel fares. */
export interface TunnelState {
  readonly state: 'connecting' | 'connected' | 'disconnected';
  /** The public address; while it is disconnected the one it had. */
  readonly url: string | null;
  readonly reason: string | null;
  /** Of the last probe through the public address. */
  readonly latencyMs: number | null;
}

export interface TunnelOptions {
  choice: TunnelChoice;
  target: TunnelTarget;
  /** What the listener answers and never keeps. */
  probe: TunnelProbe;
  onState(state: TunnelState): void;
}

export interface Tunnel {
  /** Ends the program, and all that it started. */
  stop(): Promise<void>;
}

/** Starts a tunnel and keeps it up until it is stopped. */
export function startTunnel(options: TunnelOptions): Tunnel {
  const keeper = new TunnelKeeper(options);
  void keeper.run();
  return { stop: () => keeper.stop() };
}

/** Keeps one tunnel: starts its program, watches it through the public address, starts it again. */
class TunnelKeeper {
  #state: TunnelState = { state: 'connecting', url: null, reason: null, latencyMs: null };
  #child: TunnelProcess | null = null;
  #isStopped = false;
  #wake: () => void = () => undefined;
  readonly #killAtExit = (): void => this.#child?.kill();

  constructor(readonly options: TunnelOptions) {}

  async run(): Promise<void> {
    const { choice, target } = this.options;
    // However this process ends by itself, the program ends with it.
    process.once('exit', this.#killAtExit);
    const plan = planTunnel(choice, target, await resolveSshHostname(choice));
    for (let failures = 0; !this.#isStopped; failures++) {
      const startedAt = performance.now();
      const reason = await this.#runOnce(plan);
      if (this.#isStopped) return;
      if (performance.now() - startedAt > STABLE_MS) failures = 0;
      this.#tell({ state: 'disconnected', reason, latencyMs: null });
      await this.#pause(BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)]!);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    process.off('exit', this.#killAtExit);
    await this.#child?.stop();
  }

  /** Runs the program until it ends, or its tunnel is gone for good. @returns why */
  async #runOnce(plan: TunnelPlan): Promise<string> {
    const { target } = this.options;
    const candidates = plan.knownUrl === null ? [] : [plan.knownUrl];
    const child = startTunnelProcess(plan, target, (url) => {
      if (candidates[0] === url) return;
      const known = candidates.indexOf(url);
      if (known !== -1) candidates.splice(known, 1);
      candidates.unshift(url);
      candidates.length = Math.min(candidates.length, MOST_CANDIDATES);
    });
    this.#child = child;
    let end: string | null = null;
    void child.ended.then((how) => {
      end = how;
      this.#wake();
    });
    const why = await this.#watch(child, candidates, () => end);
    await child.stop();
    this.#child = null;
    return why;
  }

  /** @returns why the tunnel is given up */
  async #watch(
    child: TunnelProcess,
    candidates: readonly string[],
    readEnd: () => string | null,
  ): Promise<string> {
    const { choice, probe } = this.options;
    let goodAt = performance.now();
    let hasConnected = false;
    for (let failures = 0; ;) {
      const end = readEnd();
      if (this.#isStopped || end !== null)
        return (
          child.readFailure() ??
          `The tunnel's program (${choice.kind}) is gone: ${endSentence(end ?? 'stopped')}`
        );
      const { url: current } = this.#state;
      const isListed = current === null || !hasConnected || candidates.includes(current);
      const asked = isListed ? [...candidates] : [...candidates, current];
      const answers = await Promise.all(asked.map((url) => probeAddress(url, probe, PROBE_LIMIT_MS)));
      const found = answers.findIndex((one) => one !== null);
      if (this.#isStopped) continue;
      if (found !== -1) {
        failures = 0;
        goodAt = performance.now();
        hasConnected = true;
        child.forgetFailure();
        this.#tell({ state: 'connected', url: asked[found]!, reason: null, latencyMs: answers[found]! });
      } else {
        failures += 1;
        const said = child.readFailure();
        const isUp = this.#state.state === 'connected';
        // What the program says is wrong is told at once, while it may still get over it by itself.
        const isDown = isUp ? failures >= FAILURES_TO_TELL : said !== null;
        if (isDown) this.#tell({ state: 'disconnected', reason: said ?? NO_ANSWER, latencyMs: null });
        const patience = hasConnected ? SELF_HELP_MS : CONNECT_MS;
        if (performance.now() - goodAt > patience)
          return said ?? (asked.length === 0 ? NO_ADDRESS : NO_ANSWER);
      }
      await this.#pause(found !== -1 ? PROBE_EVERY_MS : PROBE_AGAIN_MS);
    }
  }

  #tell(change: Partial<TunnelState>): void {
    this.#state = { ...this.#state, ...change };
    this.options.onState(this.#state);
  }

  /** Waits, or until something has happened. */
  #pause(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const NO_ADDRESS = "The tunnel's program has printed no address.";
const NO_ANSWER = 'The public address does not answer.';
