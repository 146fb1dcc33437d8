import type { Journey, JourneySummary } from '@shared/contract/journey';
import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Exchange } from '@shared/contract/sending';
import { create } from 'zustand';
import { askStatus } from '../../session/ask-status';
import { createLatest } from '../../session/create-latest';
import { joinOlder } from '../../session/join-older';
import { phaseWhileAsked, type ListPhase } from '../../session/list-phase';
import { soon } from '../../session/soon';
import { afterReconnect, call, subscribe } from '../../transport/client';
import { findAskedPlace } from './asked-place';
import { whenRenamed } from '../../session/renamed-environments';
import { toClientError, type ClientError } from '../../transport/client-error';

const pageSize = 100;
const searchDelayMs = 120;
const refreshDelayMs = 250;
const rereadDelayMs = 1000;

export interface PaymentsState {
  rows: readonly JourneySummary[];
  nextBefore: number | null;
  search: string;
  /** What `rows` are the answer to: while more is typed, they are not yet of that. */
  answeredSearch: string;
  phase: ListPhase;
  error: ClientError | null;
  isLoadingMore: boolean;
  selectedReference: string | null;
  journey: Journey | null;
  journeyPhase: ListPhase;
  journeyError: ClientError | null;
  /** The exchange opened below its event. */
  openExchangeId: string | null;
  exchange: Exchange | null;
  exchangeError: ClientError | null;
  /** The status of the payment on show is being asked, and why that failed. */
  isAsking: boolean;
  askError: ClientError | null;

  start(): () => void;
  load(): Promise<void>;
  loadMore(): Promise<void>;
  setSearch(search: string): void;
  select(reference: string): Promise<void>;
  /** Opens the exchange behind an event, or closes it where it is open. */
  toggleExchange(id: string): Promise<void>;
  /** Asks a service for the state of the payment on show. @param service - null: the one that has it */
  ask(service: string | null): Promise<void>;
}

type Set = (change: Partial<PaymentsState> | ((state: PaymentsState) => Partial<PaymentsState>)) => void;
type Get = () => PaymentsState;

/** One row a reference, newest first, and the timeline of the one on show. */
export const usePaymentsStore = create<PaymentsState>()((set, get) => ({
  rows: [],
  nextBefore: null,
  search: '',
  answeredSearch: '',
  phase: 'idle',
  error: null,
  isLoadingMore: false,
  selectedReference: null,
  journey: null,
  journeyPhase: 'idle',
  journeyError: null,
  openExchangeId: null,
  exchange: null,
  exchangeError: null,
  isAsking: false,
  askError: null,
  ...createListActions(set, get),
  ...createJourneyActions(set, get),
}));

/** Reads the newest page of what is searched for. */
async function readTop({
  search,
}: PaymentsState): Promise<Pick<PaymentsState, 'rows' | 'nextBefore' | 'answeredSearch'>> {
  const { journeys: rows, nextBefore } = await call('journey.list', { search, limit: pageSize });
  return { rows, nextBefore, answeredSearch: search };
}

function createListActions(
  set: Set,
  get: Get,
): Pick<PaymentsState, 'start' | 'load' | 'loadMore' | 'setSearch'> {
  let loadNumber = 0;
  let searchTimer: ReturnType<typeof setTimeout> | null = null;

  const load = async (): Promise<void> => {
    const mine = ++loadNumber;
    set({ phase: phaseWhileAsked(get()), error: null });
    try {
      const top = await readTop(get());
      if (mine === loadNumber) set({ ...top, phase: 'ready', isLoadingMore: false });
    } catch (error) {
      if (mine === loadNumber) set({ phase: 'failed', error: toClientError(error) });
    }
  };

  let refreshNumber = 0;
  const refreshTop = async (): Promise<void> => {
    const mine = loadNumber;
    const turn = ++refreshNumber;
    try {
      const { answeredSearch, ...latest } = await readTop(get());
      if (mine !== loadNumber || turn !== refreshNumber) return;
      set((state) => ({
        ...joinOlder(latest, state, ({ reference }) => reference),
        phase: 'ready',
        answeredSearch,
        error: null,
      }));
    } catch (error) {
      if (mine === loadNumber && turn === refreshNumber) set({ error: toClientError(error) });
    }
  };

  const refreshSoon = soon(refreshTop, refreshDelayMs);
  /** What its sandbox delivers in vain changes a journey, and nothing else tells of it. */
  const rereadSoon = soon(async () => {
    const { journey, selectedReference, select } = get();
    const isLocal = journey?.summary.sentTo.some(({ environment }) => environment === localEnvironmentId);
    if (isLocal && journey?.summary.reference === selectedReference) await select(selectedReference!);
  }, rereadDelayMs);

  return {
    load,
    start: () => {
      const take = (references: readonly string[] | 'any'): void => {
        refreshSoon();
        const { selectedReference, select } = get();
        const isMeant = references === 'any' || references.includes(selectedReference ?? '');
        if (selectedReference && isMeant) void select(selectedReference);
      };
      const stops = [
        subscribe('journey.changed', ({ references }) => take(references)),
        subscribe('sandbox.changed', rereadSoon),
        afterReconnect(() => take('any')),
        whenRenamed(() => take('any')),
      ];
      void load();
      return () => stops.forEach((stop) => stop());
    },
    loadMore: async () => {
      const { nextBefore, isLoadingMore } = get();
      if (nextBefore === null || isLoadingMore) return;
      const mine = loadNumber;
      set({ isLoadingMore: true });
      try {
        const { search } = get();
        const page = await call('journey.list', { search, limit: pageSize, before: nextBefore });
        if (mine !== loadNumber) return;
        // Where the list on top became another one, what was asked for follows on nothing any more.
        if (get().nextBefore === nextBefore)
          set((state) => ({ rows: [...state.rows, ...page.journeys], nextBefore: page.nextBefore }));
      } catch (error) {
        if (mine === loadNumber) set({ error: toClientError(error) });
      }
      if (mine === loadNumber) set({ isLoadingMore: false });
    },
    setSearch: (search) => {
      set({ search });
      if (searchTimer) clearTimeout(searchTimer);
      searchTimer = setTimeout(() => void load(), searchDelayMs);
    },
  };
}

function createJourneyActions(set: Set, get: Get): Pick<PaymentsState, 'select' | 'toggleExchange' | 'ask'> {
  /** A journey is read anew while an earlier reading is on its way: the last one asked for counts, in whatever order they come. */
  let readNumber = 0;
  const beginAsking = createLatest();

  return {
    select: async (reference) => {
      const mine = ++readNumber;
      const isSame = get().journey?.summary.reference === reference;
      const isOther = get().selectedReference !== reference;
      // What is asked of another one goes on, and holds up nobody.
      if (isOther) beginAsking();
      set({
        selectedReference: reference,
        journeyPhase: isSame ? 'ready' : 'loading',
        journeyError: null,
        ...(isSame ? {} : { openExchangeId: null, exchange: null, exchangeError: null, askError: null }),
        ...(isOther && { isAsking: false }),
      });
      try {
        const journey = await call('journey.get', { reference });
        if (mine === readNumber) set({ journey, journeyPhase: 'ready' });
      } catch (error) {
        if (mine !== readNumber) return;
        set({ journey: null, journeyPhase: 'failed', journeyError: toClientError(error) });
      }
    },
    ask: async (service) => {
      const { journey, isAsking } = get();
      if (journey === null || isAsking) return;
      const isLast = beginAsking();
      set({ isAsking: true, askError: null });
      try {
        const { summary } = journey;
        const place = findAskedPlace(summary, service);
        await askStatus({ ...summary, ...place, sentTo: service ?? place?.service ?? null });
      } catch (error) {
        // Beside another payment it would read as an error of that one.
        if (get().selectedReference === journey.summary.reference) set({ askError: toClientError(error) });
      }
      if (isLast()) set({ isAsking: false });
    },
    toggleExchange: async (id) => {
      const isOpen = get().openExchangeId === id;
      set({ openExchangeId: isOpen ? null : id, exchange: null, exchangeError: null });
      if (isOpen) return;
      try {
        const exchange = await call('history.get', { id, isForScreen: true });
        if (get().openExchangeId === id) set({ exchange });
      } catch (error) {
        if (get().openExchangeId === id) set({ exchangeError: toClientError(error) });
      }
    },
  };
}
