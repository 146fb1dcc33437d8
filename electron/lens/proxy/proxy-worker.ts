import { coalesce } from '../../platform/coalesce';
import type { PortChoice } from '../../platform/http/listen-on';
import { readTlsOptions, type TlsIdentity } from '../../platform/http/open-connection';
import { readPublicKey, type RegisteredKey } from '../../sandbox/admission/read-public-key';
import type { CapturedExchange } from './captured-exchange';
import { createProxy, readOrigin, type Proxy } from './create-proxy';
import { ProxyRecorder } from './exchange-recorder';
import { openExchangeStore } from './exchange-store';
import { PaymentQueue } from './payment-queue';
import type { JudgedExchange } from './stored-exchange';
import { TargetWatch } from './watch-target';

export interface ProxyStart extends PortChoice {
  /** Base address of the service. */
  target: string;
  dataDirectory: string;
  /** SPKI PEMs. */
  publicKeys: readonly string[];
  /** Masked wherever they stand. */
  secrets: readonly string[];
  /** The target's own issuers and client certificate; null: what every connection has. */
  identity: TlsIdentity | null;
}

export type ProxyWorkerMethods = ReturnType<typeof serveProxyWorker>;
export type ProxyWorkerEvents = {
  /** Exchanges are on the disk; bursts are gathered. */
  stored: number;
  /** Why the target cannot be reached; null: it can be. */
  target: string | null;
  /** A signature does not verify: `setKnown` with the keys of this moment is waited for. */
  doubt: null;
  /** Whether a request that may change something waits for its answer, and has for a while. */
  holding: boolean;
  /** What could not be kept, or what was saved of a damaged file. */
  problem: string;
};

/** Told at most so often that exchanges were kept. */
const TELL_MS = 100;
/** What is answered sooner is over before anybody could be asked about it. Told at the latest when twice as old: the end gives it as long. */
const HOLDING_MS = 250;
/** The keys that are known do where no others come. */
const LONGEST_DOUBT_MS = 2000;

/**
 * Runs one proxy on the worker's side: passes, keeps, and tells.
 *
 * Nothing is read here: whoever lists or searches does so in another thread, and holds nothing up that passes.
 */
export function serveProxyWorker(
  emit: <E extends keyof ProxyWorkerEvents & string>(event: E, payload: ProxyWorkerEvents[E]) => void,
) {
  let running: { url: string; close(): Promise<void> } | null = null;
  const payments = new PaymentQueue();
  let stored = 0;
  const telling = coalesce(
    () => {
      emit('stored', stored);
      stored = 0;
    },
    { everyMs: TELL_MS },
  );

  const onStored = (exchange: JudgedExchange): void => {
    stored += 1;
    payments.add(exchange);
    telling.ask();
  };
  const stop = async (): Promise<void> => {
    const stopping = running;
    running = null;
    await stopping?.close();
  };
  const known = createKnownKeys(() => emit('doubt', null));
  let hidden: readonly string[] = [];

  return {
    async start({ target, dataDirectory, publicKeys, secrets, identity, ...port }: ProxyStart) {
      await stop();
      known.set(publicKeys);
      hidden = secrets;
      const to = new URL(target);
      const tls = identity === null ? {} : readTlsOptions(identity);
      const onProblem = (message: string): void => emit('problem', message);
      const store = openExchangeStore(dataDirectory, onProblem);
      const recorder = new ProxyRecorder({
        store,
        keys: () => known.list(),
        refreshKeys: () => known.refresh(),
        origin: readOrigin(to),
        secrets: () => hidden,
        onStored,
        onProblem,
      });
      const keep = (exchange: CapturedExchange): void => {
        watch.note(exchange);
        recorder.add(exchange);
      };
      const watch = new TargetWatch(to, (fault) => emit('target', fault), tls);
      try {
        const proxy = await createProxy(to, port, keep, tls);
        const stopWatching = watchHolding(proxy, (isHolding) => emit('holding', isHolding));
        running = {
          url: proxy.url,
          async close() {
            watch.close();
            await proxy.close();
            stopWatching();
            await recorder.close();
            store.close();
          },
        };
        return { url: proxy.url };
      } catch (error) {
        watch.close();
        store.close();
        throw error;
      }
    },
    stop: (_input: object) => stop(),
    /** What counts from now on. @param known.publicKeys - null: which they are cannot be told, and the former stay */
    setKnown({ publicKeys, secrets }: { publicKeys: readonly string[] | null; secrets: readonly string[] }) {
      hidden = secrets;
      known.set(publicKeys);
    },
    /** Gives what a journey is made of, once. */
    takePayments: (_input: object) => payments.take(),
  };
}

/** Tells when requests begin to be waited for, and when they no longer are. @returns ends it */
function watchHolding(proxy: Proxy, tell: (isHolding: boolean) => void): () => void {
  let isHolding = false;
  const look = (): void => {
    if (proxy.isHolding(HOLDING_MS) === isHolding) return;
    isHolding = !isHolding;
    tell(isHolding);
  };
  const looking = setInterval(look, HOLDING_MS).unref();
  return () => {
    clearInterval(looking);
    look();
  };
}

/** The keys that signatures are verified with. @param onDoubt - `set` with the keys of this moment is waited for; null: they stay */
function createKnownKeys(onDoubt: () => void) {
  let keys: readonly RegisteredKey[] = [];
  const doubting: (() => void)[] = [];
  const settleDoubts = (): void => {
    for (const settle of doubting.splice(0)) settle();
  };
  return {
    list: () => keys,
    set(pems: readonly string[] | null): void {
      if (pems !== null) keys = pems.map(readPublicKey);
      settleDoubts();
    },
    refresh: (): Promise<void> =>
      new Promise((resolve) => {
        doubting.push(resolve);
        setTimeout(settleDoubts, LONGEST_DOUBT_MS).unref();
        if (doubting.length === 1) onDoubt();
      }),
  };
}
