import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import type {
  SandboxFaults,
  SandboxPayment,
  SandboxSettings,
  SandboxState,
  SandboxStatus,
} from '@shared/contract/sandbox';
import { create } from 'zustand';
import type { BackendAccess } from './sandbox-selectors';
import { soon } from '../../session/soon';
import { afterReconnect, call, subscribe } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { createRequestActions, listRequests, type RequestLogState } from './requests/request-actions';

export type Explanation = MethodOutput<'sandbox.explain'>;
export type SandboxTab =
  | 'requests'
  | 'payments'
  | 'deliveries'
  | 'wallets'
  | 'outcomes'
  | 'backend'
  | 'behaviour'
  | 'report';

const refreshDelayMs = 200;
const shownRows = 500;

/** What is done to the sandbox; where it is refused, `actionError` says why. */
interface Actions {
  startSandbox(port?: number): Promise<void>;
  stopSandbox(): Promise<void>;
  reset(): Promise<void>;
  setPaymentState(paymentUuid: string, state: Exclude<SandboxPayment['state'], 'processing'>): Promise<void>;
  changeWallet(input: MethodInput<'sandbox.changeWallet'>): Promise<void>;
  redeliver(deliveryId: string): Promise<void>;
  advanceClock(seconds: number): Promise<void>;
  setFaults(faults: SandboxFaults): Promise<void>;
  updateSettings(change: Partial<SandboxSettings>): Promise<void>;
  /** Throws a ClientError for the form that asked. */
  registerKeys(input: MethodInput<'sandbox.registerKeys'>): Promise<void>;
}

export interface SandboxStoreState extends RequestLogState, Actions {
  status: SandboxStatus | null;
  state: SandboxState | null;
  phase: 'idle' | 'loading' | 'ready' | 'failed';
  error: ClientError | null;
  /** Why the last action was refused. */
  actionError: ClientError | null;
  isBusy: boolean;
  tab: SandboxTab;
  paymentUuid: string | null;
  deliveryId: string | null;
  /** What signed webhooks are verified with, while it is shown. */
  webhookSecret: string | null;
  /** The backend's credentials, from when they are made until the user leaves them. */
  madeCredentials: BackendAccess | null;
  /** When `state` was read, by this machine's clock. */
  readAt: number;

  start(): () => void;
  load(): Promise<void>;
  showTab(tab: SandboxTab): void;
  selectPayment(paymentUuid: string): void;
  selectDelivery(deliveryId: string): void;
  /** Shows what signed webhooks are verified with, for ten seconds. Throws a ClientError. */
  revealWebhookSecret(): Promise<void>;
  hideWebhookSecret(): void;
  /** Throws a ClientError. */
  makeBackendCredentials(): Promise<void>;
  forgetBackendCredentials(): void;
}

export type Set = (change: Partial<SandboxStoreState>) => void;
export type Get = () => SandboxStoreState;

/** The embedded service as it stands: read whole, and read again soon after each change. */
export const useSandboxStore = create<SandboxStoreState>()((set, get) => ({
  status: null,
  state: null,
  phase: 'idle',
  error: null,
  actionError: null,
  isBusy: false,
  tab: 'requests',
  requestId: null,
  explanation: null,
  explanationError: null,
  requestFilter: { operation: null, statusClass: null, text: null },
  requests: [],
  skippedRequests: 0,
  request: null,
  paymentUuid: null,
  deliveryId: null,
  webhookSecret: null,
  madeCredentials: null,
  readAt: 0,
  showTab: (tab) => set({ tab }),
  selectPayment: (paymentUuid) => set({ paymentUuid }),
  selectDelivery: (deliveryId) => set({ deliveryId }),
  ...createReading(set, get),
  ...createRequestActions(set, get),
  ...createActions(set, get),
  ...createSecretActions(set, get),
}));

function createReading(set: Set, get: Get): Pick<SandboxStoreState, 'start' | 'load'> {
  let loadNumber = 0;

  const load = async (): Promise<void> => {
    const mine = ++loadNumber;
    if (get().state === null) set({ phase: 'loading' });
    try {
      const status = await call('sandbox.status');
      const isRunning = status.state === 'running';
      const { requestFilter } = get();
      const [state, { requests, skipped }] = isRunning
        ? await Promise.all([call('sandbox.state', { limit: shownRows }), listRequests(requestFilter)])
        : [null, { requests: [], skipped: 0 }];
      if (mine !== loadNumber) return;
      set({
        status,
        state,
        // What another filter lets through was asked for since, and may be there already.
        ...(get().requestFilter === requestFilter && { requests, skippedRequests: skipped }),
        readAt: Date.now(),
        phase: 'ready',
        error: null,
      });
    } catch (error) {
      if (mine === loadNumber) set({ phase: 'failed', error: toClientError(error) });
    }
  };

  const loadSoon = soon(load, refreshDelayMs);

  return {
    load,
    start: () => {
      const stops = [
        subscribe('sandbox.changed', loadSoon),
        afterReconnect(loadSoon),
        subscribe('app.statusChanged', ({ sandbox }) => {
          if (sandbox.state !== get().status?.state || sandbox.baseUrl !== get().status?.baseUrl) loadSoon();
        }),
      ];
      void load();
      return () => stops.forEach((stop) => stop());
    },
  };
}

function createSecretActions(
  set: Set,
  get: Get,
): Pick<
  SandboxStoreState,
  'revealWebhookSecret' | 'hideWebhookSecret' | 'makeBackendCredentials' | 'forgetBackendCredentials'
> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  /** What was asked for before it was hidden is not shown any more. */
  let turn = 0;
  const hide = (): void => {
    turn += 1;
    if (timer) clearTimeout(timer);
    timer = null;
    set({ webhookSecret: null });
  };
  return {
    forgetBackendCredentials: () => set({ madeCredentials: null }),
    makeBackendCredentials: async () => {
      set({ madeCredentials: await call('sandbox.makeBackendCredentials') });
      await get().load();
    },
    hideWebhookSecret: hide,
    revealWebhookSecret: async () => {
      hide();
      const mine = turn;
      const { secret, hideAfterMs } = await call('sandbox.revealWebhookSecret');
      if (mine !== turn) return;
      set({ webhookSecret: secret });
      timer = setTimeout(hide, hideAfterMs);
    },
  };
}

function createActions(set: Set, get: Get): Actions {
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    set({ isBusy: true, actionError: null });
    try {
      await act();
      await get().load();
    } catch (error) {
      set({ actionError: toClientError(error) });
    }
    set({ isBusy: false });
  };
  const none = { requestId: null, request: null, explanation: null, paymentUuid: null, deliveryId: null };

  return {
    startSandbox: (port) => run(() => call('sandbox.start', port === undefined ? {} : { port })),
    stopSandbox: () => run(() => call('sandbox.stop')),
    reset: async () => {
      await call('sandbox.reset');
      set({ ...none, actionError: null });
      await get().load();
    },
    setPaymentState: (paymentUuid, state) =>
      run(() => call('sandbox.setPaymentState', { paymentUuid, state })),
    changeWallet: async (input) => {
      await call('sandbox.changeWallet', input);
      set({ actionError: null });
      await get().load();
    },
    redeliver: (deliveryId) => run(() => call('sandbox.redeliver', { deliveryId })),
    advanceClock: (seconds) => run(() => call('sandbox.advanceClock', { seconds })),
    setFaults: (faults) => run(() => call('sandbox.setFaults', faults)),
    updateSettings: (change) => run(() => call('sandbox.updateSettings', change)),
    registerKeys: async (input) => {
      await call('sandbox.registerKeys', input);
      await get().load();
    },
  };
}
