import { z } from 'zod';
import type { HandlersOf } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { ForwardingStatus } from '@shared/contract/forwarding';
import { toErrorReply } from '@shared/errors';
import { maskSecrets } from '@shared/mask-secrets';
import type { ForwardingFacts, ListenerWorkerMethods } from '../../listener/listener-worker';
import { createTurns } from '../../platform/create-turns';
import type { Ports } from '../../platform/ports';
import { formatSortableId, parseSortableId } from '../../platform/sortable-id';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';

/** Of the settings. */
const KEY = 'forwarding';
const OFF = { isOn: false, url: '', filter: '' };
const IDLE: ForwardingFacts = {
  trouble: null,
  backlogCount: 0,
  missedCount: 0,
  nextAttemptAt: null,
  failedId: null,
  refusals: { count: 0, reason: null },
};

const chosen = z.object({ isOn: z.boolean(), url: z.string(), filter: z.string() });
type Chosen = z.infer<typeof chosen>;

const UNREADABLE =
  'What the settings keep of forwarding is damaged, so nothing is forwarded. Set address and filter anew.';

/** Keeps what the app forwards, and to where; the listener's worker does it. */
export class ForwardingSwitch {
  /** Null: not told yet, as in a command beside the app that forwards. */
  #facts: ForwardingFacts | null = null;
  #fault: string | null = null;
  readonly #inTurn = createTurns();

  constructor(
    readonly ports: Pick<Ports, 'settings' | 'logger'>,
    readonly worker: () => SupervisedWorker<ListenerWorkerMethods>,
    readonly events: EventBus,
  ) {}

  status(): ForwardingStatus {
    const { trouble, refusals, ...facts } = this.#facts ?? IDLE;
    const { isOn, url, filter } = this.#read() ?? OFF;
    const { count: refusedCount, reason: refusedReason } = refusals;
    return { isOn, url, filter, trouble: this.#fault ?? trouble, ...facts, refusedCount, refusedReason };
  }

  /** The status; what waits is counted in the queue itself where no worker of this process has told it. */
  async readStatus(): Promise<ForwardingStatus> {
    this.#facts ??= await this.worker().call('readForwarding', {});
    return this.status();
  }

  /** Goes on as it was last chosen. A failure stands in the status, and is not thrown. */
  async resume(): Promise<void> {
    try {
      const kept = this.#read();
      await this.#apply(kept ?? OFF);
      if (kept === null) this.#fault = UNREADABLE;
    } catch (error) {
      this.#fault = toErrorReply(error).message;
      this.ports.logger.log('warn', 'forwarding.not_started', { error });
      this.#tell();
    }
  }

  /** @throws {AppError} `listener.bad_forward`, `listener.forwarding_in_use`, `inbox.bad_filter`, `platform.*` */
  set(chosen: Chosen): Promise<ForwardingStatus> {
    return this.#inTurn(async () => {
      const { settings } = this.ports;
      const before = settings.get(KEY) ?? OFF;
      // Kept first: what cannot be kept must not send a webhook on.
      settings.set(KEY, chosen);
      try {
        await this.#apply(chosen);
      } catch (error) {
        settings.set(KEY, before);
        throw error;
      }
      this.#tell();
      return this.status();
    });
  }

  /** Told by the worker. */
  note(facts: ForwardingFacts): void {
    const mask = (text: string | null): string | null => (text === null ? null : maskSecrets(text));
    const { count, reason } = facts.refusals;
    this.#facts = { ...facts, trouble: mask(facts.trouble), refusals: { count, reason: mask(reason) } };
    this.#tell();
  }

  async #apply({ isOn, url, filter }: Chosen): Promise<void> {
    const route = isOn ? { url, exec: null, filter, relaysAnswer: false } : null;
    this.#facts = await this.worker().call('setRoute', { route });
    this.#fault = null;
  }

  /** @returns null: what is kept is no choice */
  #read(): Chosen | null {
    const stored = this.ports.settings.get(KEY);
    if (stored === undefined) return OFF;
    return chosen.safeParse(stored).data ?? null;
  }

  #tell(): void {
    this.events.emit('forwarding.changed', this.status());
  }
}

/** The contract's methods over the switch. */
export function createForwardingHandlers(
  forwarding: ForwardingSwitch,
  worker: () => SupervisedWorker<ListenerWorkerMethods>,
): HandlersOf<'forwarding'> {
  return {
    'forwarding.status': () => forwarding.readStatus(),
    'forwarding.set': (chosen) => forwarding.set(chosen),
    'forwarding.sendMissed': async () => ({ queuedCount: await worker().call('takeMissed', {}) }),
    async 'forwarding.attempts'({ id }) {
      const key = parseSortableId(id);
      if (key === null) return { attempts: [], isQueued: false, originalId: null };
      const { attempts, isQueued, originalId } = await worker().call('readForwards', { id: key });
      return {
        isQueued,
        originalId: originalId === null ? null : formatSortableId(originalId),
        attempts: attempts.map(({ sink, attempt, at, outcome, httpStatus, reason, durationMs, nextAt }) => ({
          attempt,
          at,
          to: sink,
          outcome,
          httpStatus,
          reason,
          durationMs,
          nextAttemptAt: nextAt,
        })),
      };
    },
  };
}
