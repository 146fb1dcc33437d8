import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import type { RegisteredKey } from '../../sandbox/admission/read-public-key';
import type { CapturedExchange, CapturedMessage } from './captured-exchange';
import { makeExchangeId } from './exchange-id';
import { readPrepared, startExchangeHelper, type ExchangeHelper } from './exchange-helper';
import type { ExchangeStore } from './exchange-store';
import { prepareExchange, type RefusedSignature, type PreparedExchange } from './prepare-exchange';
import type { JudgedExchange } from './stored-exchange';

export interface RecorderOptions {
  readonly store: ExchangeStore;
  /** Keys that signatures are verified with; asked each time, since they may change. */
  keys(): readonly RegisteredKey[];
  /** Waited for before a signature is called wrong: a key may have been registered a moment ago. */
  refreshKeys?(): Promise<void>;
  /** Address of the target, without a path. */
  readonly origin: string;
  /** What is masked wherever it stands; asked each time, since more may be kept meanwhile. */
  secrets(): readonly string[];
  /** Told of each once it is on the disk, and the doctor has spoken where it was asked. */
  onStored(exchange: JudgedExchange): void;
  /** What could not be kept, in a sentence. */
  onProblem(message: string): void;
}

/** What came within so long is written together. */
const FLUSH_MS = 20;
/** Judged and masked in one turn of the event loop; what passes meanwhile has the next one. */
const SLICE = 5;
/** A larger exchange is judged and masked in another thread: a mebibyte can be made to take a second. */
const LARGE_BYTES = 16 * 1024;
/** More than so many bytes do not wait: whoever sends faster than can be kept is slowed down, or goes without its bodies. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** Waiting for the doctor; beyond it a refused signature is told without a cause. */
const MOST_PATIENTS = 50;
/** Whom the doctor has not done with so long after the end is told without a cause: what he cannot explain takes him seconds. */
const FAREWELL_MS = 2000;
const WITHOUT_BODIES =
  'Exchanges come faster than their bodies can be looked at: the latest are kept without bodies, and not judged by them.';

/**
 * Keeps exchanges beside their passing: no answer waits for it.
 *
 * Judged and masked in small slices, large ones in a thread of their own, then written in one transaction, in the order in
 * which they ended; told of only after that.
 */
export class ProxyRecorder {
  #waiting: CapturedExchange[] = [];
  #waitingBytes = 0;
  #ready: PreparedExchange[] = [];
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> | null = null;
  /** Threads, each with its own: what is large is kept however long the doctor takes. */
  readonly #helpers = new Map<'judge' | 'doctor', ExchangeHelper>();
  #diagnosing: Promise<void> = Promise.resolve();
  #patients = 0;
  #isHurried = false;
  #isOverrun = false;
  /** Passed since the store took the last ones, and not kept. */
  #lost = 0;

  constructor(
    private readonly options: RecorderOptions,
    private readonly startHelper = startExchangeHelper,
    private readonly farewellMs = FAREWELL_MS,
  ) {}

  add(exchange: CapturedExchange): void {
    const isFull = this.#waitingBytes + sizeOf(exchange) > MOST_WAITING_BYTES;
    if (isFull) this.#relieve();
    // Heads alone can be many, too.
    if (this.#waitingBytes > 2 * MOST_WAITING_BYTES)
      return this.#lose(1, 'they come faster than they can be read');
    const isOverrun = this.#waitingBytes + sizeOf(exchange) > MOST_WAITING_BYTES;
    if (isOverrun && !this.#isOverrun) this.options.onProblem(WITHOUT_BODIES);
    this.#isOverrun = isOverrun;
    const kept = isOverrun ? withoutBodies(exchange) : exchange;
    this.#waiting.push(kept);
    this.#waitingBytes += sizeOf(kept);
    if (this.#working === null) this.#timer ??= setTimeout(() => this.#start(), FLUSH_MS);
  }

  /** Writes what is waiting, and lets the doctor go on for a moment. */
  async close(): Promise<void> {
    this.#start();
    const farewell = setTimeout(() => {
      this.#isHurried = true;
      void this.#helpers.get('doctor')?.terminate();
    }, this.farewellMs);
    await this.#working;
    await this.#diagnosing;
    clearTimeout(farewell);
    this.#isHurried = false;
    await Promise.all([...this.#helpers.values()].map((helper) => helper.terminate()));
    this.#helpers.clear();
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#working ??= this.#work().finally(() => (this.#working = null));
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (sizeOf(this.#waiting[0]!) > LARGE_BYTES) {
        this.#write();
        await this.#prepareApart(this.#waiting.shift()!);
      } else {
        this.#prepareSlice();
        if (this.#waiting.length > 0) await nextTurn();
      }
    }
    this.#write();
  }

  /** Makes room at once with what takes no long time: that slows down whoever sends. */
  #relieve(): void {
    const before = this.#waiting.length;
    while (this.#waiting.length > 0 && sizeOf(this.#waiting[0]!) <= LARGE_BYTES) this.#prepareSlice();
    if (this.#waiting.length < before) this.#write();
  }

  #prepareSlice(): void {
    let bytes = 0;
    for (let count = 0; count < SLICE && this.#waiting.length > 0; count += 1) {
      bytes += sizeOf(this.#waiting[0]!);
      if (bytes > LARGE_BYTES) return;
      this.#prepareHere(this.#waiting.shift()!);
    }
  }

  #prepareHere(exchange: CapturedExchange): void {
    this.#waitingBytes -= sizeOf(exchange);
    const { keys, origin, secrets } = this.options;
    this.#ready.push(prepareExchange(makeExchangeId(), exchange, keys(), { origin, secrets: secrets() }));
  }

  async #prepareApart(exchange: CapturedExchange): Promise<void> {
    const { origin, secrets, keys, onProblem } = this.options;
    const setting = { origin, secrets: secrets() };
    const pems = keys().map(({ pem }) => pem);
    try {
      const prepared = await this.#help('judge').call('prepare', {
        id: makeExchangeId(),
        exchange,
        keys: pems,
        setting,
      });
      this.#waitingBytes -= sizeOf(exchange);
      this.#ready.push(readPrepared(prepared));
    } catch (error) {
      onProblem(`A large exchange is kept without its bodies: ${describe(error)}`);
      this.#waitingBytes -= sizeOf(exchange);
      const bare = withoutBodies(exchange);
      this.#ready.push(prepareExchange(makeExchangeId(), bare, keys(), setting));
    }
  }

  #help(role: 'judge' | 'doctor'): ExchangeHelper {
    const running = this.#helpers.get(role);
    if (running !== undefined) return running;
    const helper = this.startHelper();
    helper.onExit(() => {
      if (this.#helpers.get(role) === helper) this.#helpers.delete(role);
    });
    this.#helpers.set(role, helper);
    return helper;
  }

  #write(): void {
    const { store, onStored, onProblem } = this.options;
    const ready = this.#ready.splice(0);
    if (ready.length === 0) return;
    try {
      store.insertAll(ready.map(({ stored }) => stored));
    } catch (error) {
      this.#lose(ready.length, describe(error).replace(/\.$/, ''));
      return;
    }
    if (this.#lost > 0)
      onProblem(`Exchanges are kept again. ${this.#lost} passed before without being kept.`);
    this.#lost = 0;
    for (const { stored, question } of ready) {
      if (question === null) onStored(stored);
      else if (this.#patients >= MOST_PATIENTS) onStored(sayUnasked(stored, BUSY));
      else {
        this.#patients += 1;
        this.#diagnosing = this.#diagnosing.then(() => this.#diagnose(stored, question));
      }
    }
  }

  #lose(count: number, why: string): void {
    if (this.#lost === 0)
      this.options.onProblem(
        `Exchanges pass, but cannot be kept: ${why}. They are missing until it is mended.`,
      );
    this.#lost += count;
  }

  async #diagnose(stored: JudgedExchange, question: RefusedSignature): Promise<void> {
    const { store, onStored, onProblem } = this.options;
    if (!this.#isHurried) await this.options.refreshKeys?.();
    const keys = this.options.keys().map(({ pem }) => pem);
    let told = stored;
    try {
      if (this.#isHurried) {
        told = sayUnasked(stored, ENDED);
        return;
      }
      const signature = await this.#help('doctor').call('diagnose', { question, keys });
      told = { ...stored, detail: { ...stored.detail, signature } };
      store.updateDetail(stored.id, told.detail);
    } catch (error) {
      const hasNothingToSign = error instanceof AppError && error.code.startsWith('signing.');
      if (this.#isHurried) told = sayUnasked(stored, ENDED);
      else if (!hasNothingToSign) onProblem(`The doctor failed on ${stored.id}: ${describe(error)}`);
    } finally {
      this.#patients -= 1;
      onStored(told);
    }
  }
}

const ASK_LATER = 'countersign doctor finds it out, and so does the app.';
const BUSY = `The doctor was not asked why: ${MOST_PATIENTS} others were waiting for him. ${ASK_LATER}`;
const ENDED = `The doctor was not asked why, or had not done: the proxy was ended first. ${ASK_LATER}`;

/** Says of a refused signature why no cause stands with it. It is told so, and kept as it was. */
function sayUnasked(stored: JudgedExchange, why: string): JudgedExchange {
  const { signature } = stored.detail;
  if (signature?.valid !== false) return stored;
  return { ...stored, detail: { ...stored.detail, signature: { ...signature, explanation: why } } };
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function withoutBodies(exchange: CapturedExchange): CapturedExchange {
  const { request, answer } = exchange;
  const bare = <M extends CapturedMessage>(message: M): M => ({ ...message, body: Buffer.alloc(0) });
  return { ...exchange, request: bare(request), answer: answer === null ? null : bare(answer) };
}

/** Bytes of both messages, about. */
function sizeOf({ target, request, answer }: CapturedExchange): number {
  return 500 + target.length + sizeOfMessage(request) + (answer === null ? 0 : sizeOfMessage(answer));
}

function sizeOfMessage({ headers, body }: CapturedMessage): number {
  return headers.reduce((size, text) => size + text.length, body.length);
}
