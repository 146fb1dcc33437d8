import type { Environment } from '@shared/contract/environments';
import { localEnvironmentId, readEnvironmentName } from '@shared/contract/environment-id';
import type { ExchangeSummary } from '@shared/contract/sending';
import type { Product } from '@shared/payments/tables/products';
import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { isTerminalState } from '@shared/payments/tables/states';
import { create, type StoreApi } from 'zustand';
import { afterReconnect, call, subscribe } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { dropUnreachable } from '../../transport/drop-unreachable';
import { useEnvironments } from '../../session/environments';
import { whenRenamed } from '../../session/renamed-environments';
import {
  describeEndOfWatch,
  describeLeftAlone,
  mayPass,
  pauseOfWatch,
  readRetryMs,
  readTokenRetryMs,
} from '@shared/lookups/run-lookups';
import { holdWindow } from '../../ui/hold-window';
import { findEnvironment, findSentProduct, suggestReferences, type Suggestion } from './lookups-selectors';

export type Identifier = MethodInput<'lookups.status'>['by'];
export type LookupResult = MethodOutput<'lookups.status'>;

/** A watch that has seen no final state ends by itself. */
export const watchForMs = 10 * 60_000;

export interface LookupsState {
  environments: Environment[];
  suggestions: Suggestion[];
  /** What was sent lately, newest first. */
  recent: ExchangeSummary[];
  environment: string;
  product: Product;
  by: Identifier;
  value: string;
  /** Of a payment that was sent from here, whatever token is chosen; null: not known. */
  knownProduct: Product | null;
  isAsking: boolean;
  result: LookupResult | null;
  error: ClientError | null;
  /** Queries of this watch so far; null: not watching. */
  watchCount: number | null;
  /** Why the last watch ended without a final state; null: it did not, or was stopped. */
  watchEnd: string | null;
  /** States seen in this watch, oldest first, each once in a row. */
  seen: { at: number; state: string }[];

  start(activeEnvironment: string): Promise<void>;
  /** Keeps the payments sent lately as they are; gives a function that ends it. */
  follow(): () => void;
  change(input: Partial<Pick<LookupsState, 'environment' | 'product' | 'by' | 'value'>>): void;
  choose(suggestion: Suggestion): void;
  ask(): Promise<void>;
  watch(): Promise<void>;
  stopWatching(): void;
}

const nothingAsked = {
  environments: [],
  suggestions: [],
  recent: [],
  environment: localEnvironmentId,
  product: 'remittance',
  by: 'transaction_reference',
  value: '',
  knownProduct: null,
  isAsking: false,
  result: null,
  error: null,
  watchCount: null,
  watchEnd: null,
  seen: [],
} satisfies Partial<LookupsState>;

/** One status query at a time, asked once or watched until its state is final. */
export const useLookupsStore = create<LookupsState>()((set, get) => {
  const turns = createTurns();
  const token = createTokenChoice(set, get);
  const takeEnvironments = createTaking(set, get);
  // A watch goes on while another view is on show.
  useEnvironments.subscribe(({ environments, error }) => {
    if (error === null && get().environments.length > 0) takeEnvironments(environments, localEnvironmentId);
  });

  /** The last question counts, in whatever order the answers come; one at another address is another question. */
  let question = 0;
  const askOnce = async (): Promise<void> => {
    const mine = ++question;
    set({ isAsking: true, error: null });
    try {
      const result = await call('lookups.status', { ...readQuestion(get()), isForScreen: true });
      if (mine === question) set(({ seen }) => ({ result, seen: addSeen(seen, result) }));
    } catch (error) {
      if (mine === question) set({ result: null, error: toClientError(error) });
    }
    if (mine === question) set({ isAsking: false });
  };

  const stopWatching = (watchEnd: string | null = null): void => {
    turns.end();
    set({ watchCount: null, watchEnd });
  };

  return {
    ...nothingAsked,

    start: async (activeEnvironment) => {
      const wasUnread = get().environments.length === 0;
      const { result, isAsking, watchCount, environment } = get();
      const isIdle = result === null && !isAsking && watchCount === null;
      if (isIdle && environment !== activeEnvironment) get().change({ environment: activeEnvironment });
      try {
        const [list, recent] = await Promise.all([call('environments.list'), readRecent()]);
        set({ recent });
        takeEnvironments(list.environments, activeEnvironment);
        if (wasUnread) set({ error: null });
      } catch (error) {
        set({ error: toClientError(error) });
      }
    },
    follow: () => follow(set, get),
    change: (input) => {
      stopWatching();
      // An answer beside another question would read as the answer to it.
      question += 1;
      set({ ...input, seen: [], result: null, error: null, isAsking: false });
      token.noteChange(input);
    },
    choose: ({ reference, product, environment }) => {
      // One that is gone leaves the choice as it is.
      const known = findEnvironment(environment, get().environments);
      const found = known === undefined ? {} : { environment: known.id };
      get().change({ by: 'transaction_reference', value: reference, product, ...found });
    },
    ask: async () => {
      stopWatching();
      set({ seen: [] });
      if (await token.findOlder()) await askOnce();
    },
    watch: async () => {
      const isMine = turns.begin();
      set({ watchCount: 0, watchEnd: null, seen: [] });
      if (!(await token.findOlder())) return;
      const watchEnd = await watchUntilFinal(askOnce, get, (watchCount) => {
        if (isMine()) set({ watchCount });
        return isMine();
      });
      if (isMine()) stopWatching(watchEnd);
    },
    stopWatching: () => stopWatching(),
  };
});

function follow(set: StoreApi<LookupsState>['setState'], get: () => LookupsState): () => void {
  const read = (): void => {
    // What cannot be read now stands as it was: nobody asked for it.
    readRecent().then(
      (recent) => set(suggestOf(recent, get().environments)),
      () => undefined,
    );
  };
  const readAgain = (): void =>
    get().environments.length === 0 ? void get().start(get().environment) : read();
  const stops = [
    subscribe('journey.changed', read),
    afterReconnect(readAgain),
    dropUnreachable(useLookupsStore),
  ];
  return () => stops.forEach((stop) => stop());
}

/** One watch after the other; the window asks before it is closed while one goes on. */
function createTurns() {
  let turn = 0;
  let letGo = (): void => undefined;
  const end = (): void => {
    turn += 1;
    letGo();
  };
  return {
    end,
    /** Gives what tells whether it still goes on. */
    begin: (): (() => boolean) => {
      end();
      const mine = turn;
      void holdWindow(new Promise<void>((over) => (letGo = over)));
      return () => mine === turn;
    },
  };
}

whenRenamed((from, to) => {
  const follow = (id: string): string => (id === from ? to : id);
  useLookupsStore.setState(({ environment, environments, recent }) => {
    const renamed = environments.map((one) => ({ ...one, id: follow(one.id) }));
    const sent = recent.map((one) => ({ ...one, environment: follow(one.environment) }));
    return {
      environment: follow(environment),
      environments: renamed,
      ...suggestOf(sent, renamed),
    };
  });
});

/** Asks about a payment where it was sent, whatever environment the form has. */
export async function askAbout(suggestion: Suggestion): Promise<void> {
  const { environment, choose, ask } = useLookupsStore.getState();
  if (suggestion.environment !== environment) choose(suggestion);
  await ask();
}

/** Takes the environments as they are now; what was asked of one that is another service by then ends. */
function createTaking(set: StoreApi<LookupsState>['setState'], get: () => LookupsState) {
  return (environments: readonly Environment[], active: string): void => {
    const lost = describeLoss(get(), environments);
    set({ environments: [...environments], ...suggestOf(get().recent, environments) });
    if (lost === null) return;
    const isWatching = get().watchCount !== null;
    const isThere = environments.some(({ id }) => id === get().environment);
    // The answer on show is not that of the one which stands there now.
    get().change(isThere ? {} : { environment: active });
    if (isWatching) set({ watchEnd: `${lost}; the watch has ended.` });
  };
}

/**
 * Tells what became of the environment that is asked, where it is another service by now.
 *
 * @returns null: it is where it was. The embedded sandbox gets another port at each start, and is one all the same.
 */
function describeLoss(
  { environment, environments }: Pick<LookupsState, 'environment' | 'environments'>,
  now: readonly Environment[],
): string | null {
  const [was, is] = [environments, now].map((list) => list.find(({ id }) => id === environment));
  const label = `“${was?.label ?? readEnvironmentName(environment)}”`;
  if (is === undefined) return `There is no environment ${label} any more`;
  const isMoved = was !== undefined && was.baseUrl !== is.baseUrl && environment !== localEnvironmentId;
  return isMoved ? `${label} has another address now` : null;
}

/**
 * Asks again and again, until the state is final, an error that stays stands in the way, or the time is up.
 *
 * @param goOn - told the number of queries so far; false: nobody waits for more
 * @returns why it ended without a final state; null: it did not
 */
async function watchUntilFinal(
  askOnce: () => Promise<void>,
  get: () => LookupsState,
  goOn: (count: number) => boolean,
): Promise<string | null> {
  // Not by the clock, which may be put right meanwhile.
  const endsAt = performance.now() + watchForMs;
  for (let count = 1; ; count += 1) {
    await askOnce();
    if (!goOn(count)) return null;
    const { error, result } = get();
    const retryMs = readPause(get());
    if ((error !== null && retryMs === null && !mayPass(error)) || isTerminalState(result?.state ?? ''))
      return null;
    const leftMs = endsAt - performance.now();
    if (retryMs !== null && leftMs > 0 && leftMs <= retryMs) return describeLeftAlone(retryMs);
    if (leftMs <= 0) return describeEndOfWatch(watchForMs, readTold(get().seen));
    const pauseMs = Math.max(pauseOfWatch(count), retryMs ?? 0);
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, leftMs)));
    if (!goOn(count)) return null;
  }
}

/** How long the service wants to be left alone; null: it does not. */
function readPause({ error, result }: Pick<LookupsState, 'error' | 'result'>): number | null {
  if (error !== null) return readTokenRetryMs(error, Date.now());
  return result === null ? null : readRetryMs(result.exchange, Date.now());
}

/** Takes the token of the product that a payment was sent as, unless another one is chosen after the identifier. */
function createTokenChoice(set: StoreApi<LookupsState>['setState'], get: () => LookupsState) {
  let isTokenChosen = false;
  const takeKnown = (known: Product | null): void =>
    set(known === null || isTokenChosen ? { knownProduct: known } : { knownProduct: known, product: known });
  return {
    noteChange({ product, value, by, environment }: Partial<LookupsState>): void {
      if (product !== undefined && value === undefined) isTokenChosen = true;
      else if (value !== undefined || by !== undefined) {
        isTokenChosen = false;
        takeKnown(findSuggested(get()));
      } else if (environment !== undefined) takeKnown(findSuggested(get()));
    },
    /** Looks for one that is not among those sent lately; false where another question stands there by then. */
    async findOlder(): Promise<boolean> {
      const asked = readQuestion(get());
      if (get().knownProduct !== null) return true;
      set({ isAsking: true });
      const known = await findKnownProduct(asked);
      const isStillAsked = JSON.stringify(readQuestion(get())) === JSON.stringify(asked);
      if (isStillAsked) takeKnown(known);
      else set({ isAsking: false });
      return isStillAsked;
    },
  };
}

interface Identified {
  readonly by: Identifier;
  readonly value: string;
  /** The one that is asked. */
  readonly environment: string;
}

type Known = Pick<LookupsState, 'environments' | 'recent'>;

function findSuggested({ by, value, environment, environments, recent }: Identified & Known): Product | null {
  if (by !== 'transaction_reference') return null;
  const asked = environments.find(({ id }) => id === environment);
  return findSentProduct(recent, value.trim(), asked);
}

/** The product of a payment that was sent from here to this service: only its token is taken. Null: not known. */
export async function findKnownProduct({ by, value, environment }: Identified): Promise<Product | null> {
  if (by !== 'transaction_reference') return null;
  const { environments, recent } = useLookupsStore.getState();
  const suggested = findSuggested({ by, value, environment, environments, recent });
  if (suggested !== null) return suggested;
  try {
    const { exchanges } = await call('history.list', { limit: 100, reference: value.trim() });
    return findSuggested({ by, value, environment, environments, recent: exchanges });
  } catch {
    // Where nothing can be read of what was sent, the token that is chosen asks.
    return null;
  }
}

async function readRecent(): Promise<ExchangeSummary[]> {
  const { exchanges } = await call('history.list', { limit: 200 });
  return exchanges;
}

const suggestOf = (
  recent: ExchangeSummary[],
  environments: readonly Environment[],
): Pick<LookupsState, 'recent' | 'suggestions'> => ({
  recent,
  suggestions: suggestReferences(recent, environments),
});

function readQuestion({ environment, product, by, value }: LookupsState) {
  return { environment, product, by, value: value.trim() };
}

/** Whether the payment was found, as the service said last; what does not tell takes nothing back. */
function readTold(seen: LookupsState['seen']): boolean | null {
  const told = seen.findLast(({ state }) => state !== 'not known');
  return told === undefined ? null : told.state !== 'not found';
}

function addSeen(seen: LookupsState['seen'], result: LookupResult): LookupsState['seen'] {
  const state = result.state ?? (result.isFound === false ? 'not found' : 'not known');
  return seen.at(-1)?.state === state ? seen : [...seen, { at: result.exchange.sentAt, state }];
}
