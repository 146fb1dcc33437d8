import { randomBytes } from 'node:crypto';
import { AppError } from '@shared/errors';
import type { RegisteredKey } from '../../sandbox/admission/public-keys';
import type { CapturedExchange } from './captured-exchange';
import type { ExchangeStore } from './exchange-store';
import { judgeExchange, type ProxyFacts, type SeenSignature } from './judge-exchange';
import { toStoredExchange, type StoredExchange } from './stored-exchange';

export interface RecorderOptions {
  readonly store: ExchangeStore;
  readonly keys: readonly RegisteredKey[];
  /** Address of the target, without a path. */
  readonly origin: string;
  readonly secrets: readonly string[];
  /** Told of each once it is on the disk, and the doctor has spoken where it was asked. */
  onStored(exchange: StoredExchange): void;
  /** What could not be kept, in a sentence. */
  onProblem(message: string): void;
}

/** What came within so long is written together. */
const FLUSH_MS = 20;
/** Judged and masked in one turn of the event loop; what passes meanwhile has the next one. */
const SLICE = 5;
/** More than so many bytes do not wait: whoever sends faster than can be kept is slowed down to that. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** Waiting for the doctor; beyond it a refused signature is told without a cause. */
const MOST_PATIENTS = 50;

interface Patient {
  readonly stored: StoredExchange;
  readonly body: string;
  readonly facts: ProxyFacts;
}

/**
 * Keeps exchanges beside their passing: no answer waits for it.
 *
 * Judged and masked in small slices, then written in one transaction; told of only after that.
 */
export class ProxyRecorder {
  #waiting: CapturedExchange[] = [];
  #waitingBytes = 0;
  #ready: { stored: StoredExchange; patient: Patient | null }[] = [];
  #timer: NodeJS.Timeout | null = null;
  #diagnosing: Promise<void> = Promise.resolve();
  #patients = 0;

  constructor(private readonly options: RecorderOptions) {}

  add(exchange: CapturedExchange): void {
    this.#waiting.push(exchange);
    this.#waitingBytes += sizeOf(exchange);
    if (this.#waitingBytes > MOST_WAITING_BYTES) {
      this.#prepare(this.#waiting.splice(0));
      this.#write();
    }
    this.#timer ??= setTimeout(() => this.#work(), FLUSH_MS);
  }

  /** Writes what is waiting, and lets the doctor end. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#prepare(this.#waiting.splice(0));
    this.#write();
    await this.#diagnosing;
  }

  #work(): void {
    this.#prepare(this.#waiting.splice(0, SLICE));
    if (this.#waiting.length > 0) setImmediate(() => this.#work());
    else {
      this.#timer = null;
      this.#write();
    }
  }

  #prepare(exchanges: readonly CapturedExchange[]): void {
    const { keys, origin, secrets } = this.options;
    for (const exchange of exchanges) {
      this.#waitingBytes -= sizeOf(exchange);
      const facts = judgeExchange(exchange, keys);
      const stored = toStoredExchange(`px_${randomBytes(8).toString('hex')}`, exchange, facts, {
        origin,
        secrets,
      });
      const body = exchange.request.body.toString('utf8');
      this.#ready.push({
        stored,
        patient: needsDoctor(stored, facts, keys) ? { stored, body, facts } : null,
      });
    }
  }

  #write(): void {
    const { store, onStored, onProblem } = this.options;
    const ready = this.#ready.splice(0);
    if (ready.length === 0) return;
    try {
      store.insertAll(ready.map(({ stored }) => stored));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      onProblem(`${ready.length} exchanges passed, but could not be kept: ${why}`);
    }
    for (const { stored, patient } of ready) {
      if (patient === null || this.#patients >= MOST_PATIENTS) onStored(stored);
      else {
        this.#patients += 1;
        this.#diagnosing = this.#diagnosing.then(() => this.#diagnose(patient));
      }
    }
  }

  async #diagnose({ stored, body, facts }: Patient): Promise<void> {
    const { store, keys, onStored, onProblem } = this.options;
    let told = stored;
    try {
      const signature = await askDoctor(body, facts.sentSignature!, keys);
      told = { ...stored, detail: { ...stored.detail, signature } };
      store.updateDetail(stored.id, told.detail);
    } catch (error) {
      if (!(error instanceof AppError)) onProblem(`The doctor failed on ${stored.id}.`);
    }
    this.#patients -= 1;
    onStored(told);
  }
}

function sizeOf({ request, answer }: CapturedExchange): number {
  return 500 + request.body.length + (answer?.body.length ?? 0);
}

/** Asked about each signature that does not verify, and each refusal of a signed request. */
function needsDoctor(stored: StoredExchange, facts: ProxyFacts, keys: readonly RegisteredKey[]): boolean {
  if (facts.signature === null || facts.stringToSign === null || facts.sentSignature === null) return false;
  return keys.length > 0 && (facts.signature.valid === false || stored.httpStatus === 401);
}

async function askDoctor(body: string, sent: string, keys: readonly RegisteredKey[]): Promise<SeenSignature> {
  // The doctor is loaded when first asked for.
  const { chooseKey, diagnoseRefusal } = await import('../../sandbox/requests/diagnose-refusal');
  const judge = chooseKey(sent, keys) ?? keys[0]!;
  const { valid, verdict, causes, explanation } = await diagnoseRefusal(body, sent, judge, keys);
  return { valid, verdict, causes: causes.map(({ code, message }) => ({ code, message })), explanation };
}
