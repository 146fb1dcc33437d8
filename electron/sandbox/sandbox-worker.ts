import type { SandboxFaults, SandboxRequestQuery, SandboxSettings } from '@shared/contract/sandbox';
import type { MethodInput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { createSandbox, type Sandbox } from './create-sandbox';
import type { FinalState } from './store/payment-store';
import type { SandboxOptions } from './sandbox-options';

/** What the sandbox's worker sends: why something that the views show has changed; what was saved of a damaged store; that it is damaged now. */
export type SandboxWorkerEvents = { changed: string; rescued: string; damaged: string };

/** Calls that the sandbox's worker answers. */
export type SandboxWorkerMethods = ReturnType<typeof serveSandboxWorker>;

/**
 * Answers the calls of the app in the sandbox's worker thread.
 *
 * The sandbox is started by a call, so that a port in use is an answer and not the end of the worker. Consumer secret
 * and admin token never leave this thread; the webhooks' secret does when it is asked for, and the secret of the
 * user's backend when it is made.
 */
export function serveSandboxWorker(emit: (event: keyof SandboxWorkerEvents, text: string) => void) {
  let sandbox: Sandbox | null = null;

  const running = (): Sandbox => {
    if (sandbox === null) {
      throw new AppError('sandbox.stopped', 'The local sandbox is not running. Start it first.');
    }
    return sandbox;
  };
  const stop = async (): Promise<void> => {
    const stopping = sandbox;
    sandbox = null;
    await stopping?.close();
  };

  return {
    async start(options: SandboxOptions) {
      await stop();
      let isDamaged = false;
      sandbox = await createSandbox({
        ...options,
        onChange: (reason) => emit('changed', reason),
        onRescued: (message) => emit('rescued', message),
        onDamage() {
          // Once: a later word of it would end the sandbox that was started anew.
          if (!isDamaged) emit('damaged', '');
          isDamaged = true;
        },
      });
      return { baseUrl: sandbox.baseUrl };
    },
    stop: (_input: object) => stop(),
    readState: ({ limit }: { limit: number }) => running().readState(limit),
    readPayments: ({ paymentUuids }: { paymentUuids: string[] }) => running().readPayments(paymentUuids),
    reset: (_input: object) => running().reset(),
    registerKeys: ({ pems, mode }: { pems: string[]; mode: 'replace' | 'add' }) =>
      running().registerKeys(pems, mode),
    setPaymentState: ({ paymentUuid, state }: { paymentUuid: string; state: FinalState }) =>
      running().setPaymentState(paymentUuid, state),
    changeWallet: ({ product, currency, change }: MethodInput<'sandbox.changeWallet'>) =>
      running().changeWallet(product, currency, change),
    advanceClock: ({ seconds }: { seconds: number }) => ({ now: running().advanceClock(seconds) }),
    setFaults: (faults: SandboxFaults) => running().setFaults(faults),
    updateSettings: (changes: Partial<SandboxSettings>) => running().updateSettings(changes),
    setOwnHost: ({ host }: { host: string | null }) => running().setOwnHost(host),
    redeliver: ({ deliveryId }: { deliveryId: string }) => running().redeliver(deliveryId),
    revealWebhookSecret: (_input: object) => ({ secret: running().revealWebhookSecret() }),
    makeBackendCredentials: (_input: object) => running().makeBackendCredentials(),
    listRequests: (query: SandboxRequestQuery) => running().listRequests(query),
    readRequest: ({ requestId }: { requestId: string }) => running().readRequest(requestId),
    explain: ({ requestId }: { requestId: string }) => running().explain(requestId, false),
  };
}
