import type { z } from 'zod';
import type { HandlersOf } from '@shared/contract/contract';
import { answerRule, type listenerStatus } from '@shared/contract/inbox';
import { toErrorReply } from '@shared/errors';
import { toPlainLine } from '@shared/plain-text';
import type { ReceivedBytes } from './replay-webhook';
import type { RuleFiles } from './rule-files';
import type { NotTakenCounts } from '../../listener/gather-not-taken';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import { createTurns } from '../../platform/create-turns';
import { rememberPort } from '../../platform/http/listen-on';
import type { SettingsStore } from '../../platform/ports';
import { takeEnded, type SupervisedWorker } from '../../platform/workers/supervise-worker';
import { errorsOf } from '../errors-of';
import { createLongWork, type LongWork } from '../../platform/workers/long-work';
import { tryRulesOn, type RulesWork } from './try-rules';

const ListenerError = errorsOf<'listener'>();

type Status = z.output<typeof listenerStatus>;
/** The address that the app starts by itself. */
export const MAIN = 'main';
const USUAL_PORT = 4020;
const MOST_LISTENERS = 20;
/** Settings of the others; ids are names in it. */
const OTHERS = 'listeners';
const CRASHED = 'The listener ended unexpectedly. Start it again; what it had answered is kept.';

interface StartOptions {
  port?: number;
  isHttps?: boolean;
}

interface Entry {
  state: Pick<Status, 'state' | 'url' | 'message'>;
  rule: Status['rule'];
  /** What came since it was started and is not kept. */
  notTaken: Status['notTaken'];
  /** It ran when the worker ended, and is to be brought back. */
  wasRunning: boolean;
  /** The rules in force; null: it was not started yet. */
  rules: { text: string; count: number } | null;
  stopFollowing(): void;
  /** Starts and stops, one at a time: the last that was asked for counts. */
  inTurn: ReturnType<typeof createTurns>;
  /** Rules that are put in force, one after the other: those in force are the last that were kept. */
  rulesInTurn: ReturnType<typeof createTurns>;
}

/**
 * Keeps the addresses of the listener: what each answers, on which port, and how it fares.
 *
 * Port, rule and protocol of each are remembered in the settings; addresses beside the main one are started by hand.
 */
export class Listeners {
  readonly #entries: Map<string, Entry>;
  /** Why nothing is stored: an address that is started anew does not change that. */
  #problem: string | null = null;

  /**
   * @param onChange - told of each change of a status; `isNewAddress` where its URL is another one
   * @param readSealingKey - for the private key of an address that speaks HTTPS; null: nothing can seal it
   */
  constructor(
    readonly settings: SettingsStore,
    readonly worker: () => SupervisedWorker<ListenerWorkerMethods>,
    readonly onChange: (status: Status, isNewAddress: boolean) => void,
    readonly readSealingKey: () => Promise<string | null>,
    readonly rules: RuleFiles,
  ) {
    this.#entries = new Map(
      [MAIN, ...Object.keys(readOthers(settings))].map((id) => [id, createEntry(settings, id)]),
    );
  }

  list(): Status[] {
    return [...this.#entries.keys()].map((id) => this.status(id));
  }

  /** @throws {AppError} `listener.unknown` */
  status(id: string): Status {
    const { state, rule, rules, notTaken } = this.#find(id);
    const problem = state.state === 'running' ? this.#problem : null;
    const message = [problem, state.message].filter((one) => one !== null).join(' ') || null;
    const ruleCount = (rules ?? this.rules.read(id)).count;
    return { id, ...state, message, isStoring: problem === null, rule, ruleCount, notTaken };
  }

  /** Starts an address on the port given, or on the one it had. Tells of a failure in the status, and throws. */
  async start(id: string, options: StartOptions = {}): Promise<Status> {
    const entry = this.#entries.get(id) ?? this.#add(id);
    // One that was removed before its turn is another one by then.
    return entry.inTurn(() =>
      this.#entries.get(id) === entry ? this.#start(id, entry, options) : this.start(id, options),
    );
  }

  async #start(id: string, entry: Entry, { port, isHttps }: StartOptions): Promise<Status> {
    const settings = settingsOf(this.settings, id);
    if (isHttps !== undefined) settings.set('isHttps', isHttps);
    this.#setState(id, { state: 'starting', url: null, message: null });
    const memory = rememberPort(settings, 'port', USUAL_PORT);
    const chosen = memory.choose(port);
    try {
      const isSecure = settings.get('isHttps') === true;
      const rules = this.rules.read(id);
      const { rule } = entry;
      const running = await this.worker().call('start', {
        id,
        ...chosen,
        rule,
        rules: rules.count === 0 ? null : rules.text,
        isHttps: isSecure,
        sealingKey: isSecure ? await this.readSealingKey() : null,
      });
      entry.wasRunning = false;
      entry.notTaken = null;
      this.#follow(id, rules);
      const remarks = [memory.keep(chosen, running.port), running.remark, rules.fault].filter(
        (one) => one !== null,
      );
      const message = remarks.length === 0 ? null : remarks.join(' ');
      this.#setState(id, { state: 'running', url: running.url, message });
      // What was chosen while it started did not reach it.
      if (entry.rule !== rule) await this.worker().call('setRule', { id, rule: entry.rule });
      if (this.rules.read(id).text !== rules.text) await this.#putInForce(id);
      return this.status(id);
    } catch (error) {
      this.#setState(id, { state: 'failed', url: null, message: toErrorReply(error).message });
      throw error;
    }
  }

  async stop(id: string): Promise<Status> {
    const entry = this.#find(id);
    entry.wasRunning = false;
    return entry.inTurn(() => this.#stop(id, entry));
  }

  async #stop(id: string, entry: Entry): Promise<Status> {
    if (this.worker().isRunning()) await this.worker().call('stop', { id }).catch(takeEnded);
    entry.wasRunning = false;
    return this.#setState(id, { state: 'stopped', url: null, message: null });
  }

  async setRule(id: string, rule: Status['rule']): Promise<Status> {
    const entry = this.#find(id);
    settingsOf(this.settings, id).set('rule', rule);
    entry.rule = rule;
    if (this.worker().isRunning()) await this.worker().call('setRule', { id, rule });
    this.onChange(this.status(id), false);
    return this.status(id);
  }

  /** Puts other answer rules in force. @throws {AppError} `listener.unknown`, `listener.bad_rules` */
  async setRules(id: string, text: string): Promise<Status> {
    this.#find(id);
    this.rules.write(id, text);
    await this.#putInForce(id);
    return this.status(id);
  }

  /** Follows the file of rules from now on: a colleague's editor changes it as the app does. */
  #follow(id: string, rules: { text: string; count: number }): void {
    const entry = this.#find(id);
    entry.rules = { text: rules.text, count: rules.count };
    entry.stopFollowing();
    entry.stopFollowing = this.rules.follow(id, () => {
      // A worker that ended meanwhile reads them when it is started again.
      this.#putInForce(id).catch(() => undefined);
    });
  }

  /** Takes the rules as they are kept; faulty ones are told, and those before them stay. */
  #putInForce(id: string): Promise<void> {
    return this.#find(id).rulesInTurn(() => this.#putInForceNow(id));
  }

  async #putInForceNow(id: string): Promise<void> {
    const entry = this.#find(id);
    const { text, count, fault } = this.rules.read(id);
    if (fault !== null) {
      const message = `answer-rules: ${fault} The rules before this change stay in force.`;
      if (entry.state.state === 'running') this.#setState(id, { ...entry.state, message });
      return;
    }
    if (text === entry.rules?.text && entry.state.message === null) return;
    if (this.worker().isRunning()) {
      await this.worker().call('setRules', { id, rules: text === '' ? null : text });
    }
    entry.rules = { text, count };
    if (entry.state.state === 'running') entry.state = { ...entry.state, message: null };
    this.onChange(this.status(id), false);
  }

  /** Follows no file any more. */
  close(): void {
    for (const { stopFollowing } of this.#entries.values()) stopFollowing();
  }

  /** Stops an address and forgets it; the main one stays. */
  async remove(id: string): Promise<void> {
    const entry = this.#find(id);
    await entry.inTurn(async () => {
      await this.#stop(id, entry);
      if (id === MAIN) return;
      entry.stopFollowing();
      this.#entries.delete(id);
      this.rules.write(id, '');
      const rest = Object.entries(readOthers(this.settings)).filter(([name]) => name !== id);
      this.settings.set(OTHERS, Object.fromEntries(rest));
    });
  }

  /** Says what is wrong with storing, in the state of each that runs; null: nothing any more. */
  setProblem(message: string | null): void {
    if (message === this.#problem) return;
    this.#problem = message;
    for (const [id, { state }] of this.#entries) {
      if (state.state === 'running') this.onChange(this.status(id), false);
    }
  }

  /** Adds what the addresses were sent and do not keep. */
  noteNotTaken(counts: NotTakenCounts): void {
    for (const [id, { count, latest }] of Object.entries(counts)) {
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      const reason = toPlainLine(latest.reason);
      entry.notTaken = { ...latest, reason, count: (entry.notTaken?.count ?? 0) + count };
      this.onChange(this.status(id), false);
    }
  }

  /** The worker that held them has ended. */
  noteCrash(): void {
    this.#problem = null;
    for (const [id, entry] of this.#entries) {
      entry.wasRunning ||= entry.state.state === 'running';
      if (entry.state.state !== 'stopped')
        this.#setState(id, { state: 'failed', url: null, message: CRASHED });
    }
  }

  /** Starts again what ran when the worker ended. */
  async resume(): Promise<void> {
    this.#problem = null;
    for (const [id, entry] of this.#entries) {
      const bringBack = async (): Promise<unknown> => entry.wasRunning && this.#start(id, entry, {});
      // Why it did not start stands in its status.
      await entry.inTurn(bringBack).catch(() => undefined);
    }
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw new ListenerError('listener.unknown', `There is no listener '${id}'. Start it first.`, {
      details: { id },
    });
  }

  #add(id: string): Entry {
    if (this.#entries.size >= MOST_LISTENERS) {
      throw new ListenerError(
        'listener.too_many',
        `There are ${MOST_LISTENERS} listeners already. Remove one first.`,
      );
    }
    const entry = createEntry(this.settings, id);
    this.#entries.set(id, entry);
    return entry;
  }

  #setState(id: string, next: Entry['state']): Status {
    const entry = this.#find(id);
    const before = entry.state;
    entry.state = next;
    const isChanged = JSON.stringify(before) !== JSON.stringify(next);
    if (isChanged) this.onChange(this.status(id), before.url !== next.url);
    return this.status(id);
  }
}

/** The contract's methods over the addresses. */
export function createListenerHandlers(
  listeners: Listeners,
  getBytes: (webhookId: string) => Promise<ReceivedBytes>,
  longWork: LongWork<RulesWork> = createLongWork<RulesWork>(null, { tryRules: tryRulesOn }),
): HandlersOf<'listener'> {
  return {
    'listener.list': () => ({ listeners: listeners.list() }),
    'listener.status': ({ id }) => listeners.status(id),
    'listener.start': ({ id, ...options }) => listeners.start(id, options),
    'listener.stop': ({ id }) => listeners.stop(id),
    'listener.rules': ({ id }) => {
      const { text, fault } = listeners.status(id) && listeners.rules.read(id);
      return { text, fault };
    },
    'listener.setRules': ({ id, text }) => listeners.setRules(id, text),
    async 'listener.tryRules'({ text, webhookId }) {
      const { head, body } = await getBytes(webhookId);
      return longWork.call('tryRules', { text, head, body }, body.length);
    },
    'listener.setRule': ({ id, ...rule }) => listeners.setRule(id, rule),
    async 'listener.remove'({ id }) {
      await listeners.remove(id);
      return {};
    },
  };
}

function createEntry(settings: SettingsStore, id: string): Entry {
  const stored = answerRule.safeParse(settingsOf(settings, id).get('rule'));
  return {
    state: { state: 'stopped', url: null, message: null },
    rule: stored.success ? stored.data : { respondStatus: 200, delayMs: 0 },
    notTaken: null,
    wasRunning: false,
    rules: null,
    stopFollowing: () => undefined,
    inTurn: createTurns(),
    rulesInTurn: createTurns(),
  };
}

type SettingName = 'port' | 'rule' | 'isHttps';

/** What is kept of one address: the main one's settings stand by themselves, those of the others in one value. */
function settingsOf(settings: SettingsStore, id: string): SettingsStore {
  if (id === MAIN) {
    return {
      get: (name) => settings.get(`listener.${name}`),
      set: (name, value) => settings.set(`listener.${name}`, value),
    };
  }
  return {
    get: (name) => readOthers(settings)[id]?.[name as SettingName],
    set: (name, value) => {
      const others = readOthers(settings);
      settings.set(OTHERS, { ...others, [id]: { ...others[id], [name]: value } });
    },
  };
}

function readOthers(settings: SettingsStore): Record<string, Partial<Record<SettingName, unknown>>> {
  const stored = settings.get(OTHERS);
  return typeof stored === 'object' && stored !== null ? (stored as ReturnType<typeof readOthers>) : {};
}
