import type { z } from 'zod';
import type { Handlers } from '@shared/contract/contract';
import { answerRule, type listenerStatus } from '@shared/contract/inbox';
import { toErrorReply } from '@shared/errors';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import { rememberPort } from '../../platform/listen-on';
import type { SettingsStore } from '../../platform/ports';
import type { SupervisedWorker } from '../../platform/supervise-worker';
import { errorsOf } from '../errors-of';

const ListenerError = errorsOf<'listener'>();

type Status = z.output<typeof listenerStatus>;
type ListenerHandlers = Pick<Handlers, Extract<keyof Handlers, `listener.${string}`>>;

/** The address that the app starts by itself. */
export const MAIN = 'main';
const USUAL_PORT = 4020;
const MOST_LISTENERS = 20;
/** Settings of the others; ids are names in it. */
const OTHERS = 'listeners';
const CRASHED = 'The listener ended unexpectedly. Start it again; what it had answered is kept.';

/** The addresses that receive webhooks. */
export interface Listeners {
  handlers: ListenerHandlers;
  status(id: string): Status;
  /** Starts an address on the port given, or on the one it had. Tells of a failure in the status, and throws. */
  start(id: string, port?: number): Promise<Status>;
  /** Says what is wrong with storing, in the state of each that runs; null: nothing any more. */
  setProblem(message: string | null): void;
  /** The worker that held them has ended. */
  noteCrash(): void;
  /** Starts again what ran when the worker ended. */
  resume(): Promise<void>;
}

interface Entry {
  state: Pick<Status, 'state' | 'url' | 'message'>;
  rule: Status['rule'];
  wasRunning: boolean;
}

/**
 * Keeps the addresses of the listener: what each answers, on which port, and how it fares.
 *
 * Port, rule and protocol of each are remembered in the settings; addresses beside the main one are started by hand.
 */
export function createListeners(
  settings: SettingsStore,
  worker: () => SupervisedWorker<ListenerWorkerMethods>,
  onChange: (status: Status, isNewAddress: boolean) => void,
): Listeners {
  const entries = new Map([MAIN, ...readNames(settings)].map((id) => [id, createEntry(settings, id)]));

  const find = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry !== undefined) return entry;
    throw new ListenerError('listener.unknown', `There is no listener '${id}'. Start it first.`, {
      details: { id },
    });
  };
  const status = (id: string): Status => {
    const { state, rule } = find(id);
    return { id, ...state, rule };
  };
  const setState = (id: string, next: Entry['state']): Status => {
    const entry = find(id);
    const before = entry.state;
    entry.state = next;
    const isChanged = JSON.stringify(before) !== JSON.stringify(next);
    if (isChanged) onChange(status(id), before.url !== next.url);
    return status(id);
  };

  const start = async (id: string, port?: number): Promise<Status> => {
    const { rule } = addEntry(settings, entries, id);
    setState(id, { state: 'starting', url: null, message: null });
    const memory = rememberPort(settings, settingOf(id, 'port'), USUAL_PORT);
    const chosen = memory.choose(port);
    const isHttps = settings.get(settingOf(id, 'isHttps')) === true;
    try {
      const running = await worker().call('start', { id, ...chosen, rule, isHttps });
      find(id).wasRunning = false;
      return setState(id, { state: 'running', url: running.url, message: memory.keep(chosen, running.port) });
    } catch (error) {
      setState(id, { state: 'failed', url: null, message: toErrorReply(error).message });
      throw error;
    }
  };
  const stop = async (id: string): Promise<Status> => {
    find(id).wasRunning = false;
    if (worker().isRunning()) await worker().call('stop', { id });
    return setState(id, { state: 'stopped', url: null, message: null });
  };

  return {
    status,
    start,
    setProblem(message) {
      for (const [id, { state }] of entries) {
        if (state.state === 'running') setState(id, { ...state, message });
      }
    },
    noteCrash() {
      for (const [id, entry] of entries) {
        entry.wasRunning ||= entry.state.state === 'running';
        if (entry.state.state !== 'stopped') setState(id, { state: 'failed', url: null, message: CRASHED });
      }
    },
    async resume() {
      for (const [id, entry] of entries) {
        // Why it did not start stands in its status.
        if (entry.wasRunning) await start(id).catch(() => undefined);
      }
    },
    handlers: {
      'listener.list': () => ({ listeners: [...entries.keys()].map(status) }),
      'listener.status': ({ id }) => status(id),
      'listener.start': ({ id, port, isHttps }) => {
        if (isHttps !== undefined) settings.set(settingOf(id, 'isHttps'), isHttps);
        return start(id, port);
      },
      'listener.stop': ({ id }) => stop(id),
      async 'listener.setRule'({ id, ...rule }) {
        find(id).rule = rule;
        settings.set(settingOf(id, 'rule'), rule);
        if (worker().isRunning()) await worker().call('setRule', { id, rule });
        onChange(status(id), false);
        return status(id);
      },
      async 'listener.remove'({ id }) {
        await stop(id);
        if (id === MAIN) return {};
        entries.delete(id);
        const rest = Object.entries((settings.get(OTHERS) as object | undefined) ?? {});
        settings.set(OTHERS, Object.fromEntries(rest.filter(([name]) => name !== id)));
        return {};
      },
    },
  };
}

function addEntry(settings: SettingsStore, entries: Map<string, Entry>, id: string): Entry {
  const known = entries.get(id);
  if (known !== undefined) return known;
  if (entries.size >= MOST_LISTENERS) {
    throw new ListenerError(
      'listener.too_many',
      `There are ${MOST_LISTENERS} listeners already. Remove one first.`,
    );
  }
  const entry = createEntry(settings, id);
  entries.set(id, entry);
  return entry;
}

function createEntry(settings: SettingsStore, id: string): Entry {
  const stored = answerRule.safeParse(settings.get(settingOf(id, 'rule')));
  return {
    state: { state: 'stopped', url: null, message: null },
    rule: stored.success ? stored.data : { respondStatus: 200, delayMs: 0 },
    wasRunning: false,
  };
}

function settingOf(id: string, name: 'port' | 'rule' | 'isHttps'): string {
  return id === MAIN ? `listener.${name}` : `${OTHERS}.${id}.${name}`;
}

function readNames(settings: SettingsStore): string[] {
  const stored = settings.get(OTHERS);
  return typeof stored === 'object' && stored !== null ? Object.keys(stored) : [];
}
