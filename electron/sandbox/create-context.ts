import { isLoopbackName } from '@shared/payments/text-formats';
import { createBatch } from './admission/batch';
import { createPublicKeys } from './admission/public-keys';
import type { ChangeNotice } from './admin/change-notice';
import { reportFailure } from './http/report-failure';
import { RequestNumbers } from './http/request-numbers';
import { createWallets } from './money/wallets';
import { decideInitiations } from './payments/initiate-payment';
import type { Initiation } from './payments/initiation';
import { RefusalCounter } from './payments/refusal-counter';
import { Settlement } from './payments/settlement';
import { SandboxClock } from './sandbox-clock';
import type { SandboxContext } from './sandbox-context';
import { defaultSettings, noFaults, type SandboxOptions } from './sandbox-options';
import { createSandboxRandom } from './sandbox-random';
import { createGroupCommit } from './store/group-commit';
import { createPaymentStore } from './store/payment-store';
import type { SandboxMeta } from './store/sandbox-meta';
import { createSealedValues } from './store/sealed-values';
import type { SandboxStore } from './store/sandbox-store';
import { BackendCredentials } from './tokens/backend-credentials';
import { AccessTokens } from './tokens/access-tokens';
import { WebhookQueue } from './webhooks/webhook-queue';

/** Puts together what the operations work on. Nothing runs yet: settlement and webhooks are started by the caller. */
export function createContext(
  { db, logFile, requireFolder }: SandboxStore,
  meta: SandboxMeta,
  options: SandboxOptions,
  notice: ChangeNotice,
): SandboxContext {
  const { isExposed = false } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const random = createSandboxRandom(options.seed ?? null, meta.run);
  const commit = createGroupCommit(db, logFile, requireFolder);
  const payments = createPaymentStore(db);
  const clock = new SandboxClock({
    offsetMs: meta.clockOffsetMs,
    latestMs: payments.latestMs(),
    onSetBack() {
      try {
        commit.write(() => meta.saveClockOffset(clock.offsetMs()));
      } catch (error) {
        reportFailure(error);
      }
      notice.tell('clock');
    },
  });
  const wallets = createWallets(db);
  const webhooks = new WebhookQueue({
    db,
    clock,
    random,
    schedule: settings.retries,
    allowedHosts: settings.allowedCallbackHosts,
    signing: settings.webhookSigning,
    isOwnHost: (host) => host === context.ownHost,
    seal: createSealedValues(options.storeKey),
    isExposed,
    onAttempt(_id, state) {
      options.onAttempt?.(state);
      notice.tell('delivery');
    },
  });
  const { consumerKey, consumerSecret } = meta;
  const context: SandboxContext = {
    clock,
    random,
    commit,
    payments,
    wallets,
    keys: createPublicKeys(db),
    tokens: new AccessTokens({ secret: meta.tokenSecret, clock }),
    webhooks,
    settlement: new Settlement({ clock, commit, payments, wallets, webhooks, notice }),
    initiations: createBatch((all: readonly Initiation[]) => decideInitiations(context, all)),
    numbers: new RequestNumbers(payments, random),
    refusals: new RefusalCounter(),
    credentials: { consumerKey, consumerSecret },
    backendCredentials: new BackendCredentials(meta),
    scheme: options.tls ? 'https' : 'http',
    isExposed,
    allowsPlainHttp: (hostname) =>
      isLoopbackName(hostname) ||
      hostname === context.ownHost ||
      context.settings.allowedCallbackHosts.includes(hostname),
    settings,
    faults: { ...noFaults, ...options.faults },
    ownHost: null,
    baseUrl: '',
  };
  return context;
}
