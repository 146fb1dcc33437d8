import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { createEventBus } from '../platform/event-bus';
import type { Ports } from '../platform/ports';
import { createAppStatus } from './app/app-status';
import { createLocalSetup } from './app/local-setup';
import { createExternalPages } from './app/open-external';
import { createBalancesService } from './balances/create-balances-service';
import { createCollectionsService } from './collections/create-collections-service';
import { createDoctorService } from './doctor/create-doctor-service';
import { createEnvironmentsService } from './environments/create-environments-service';
import { createHistoryService } from './history/create-history-service';
import { createInboxService } from './inbox/create-inbox-service';
import { createJourneyService } from './journey/create-journey-service';
import { createLookupsService } from './lookups/create-lookups-service';
import { createRouter, type Router } from './router';
import { createSandboxService } from './sandbox/create-sandbox-service';
import { createSendingService } from './sending/create-sending-service';
import { createSettingsService } from './settings/create-settings-service';
import { createSigningService } from './signing/create-signing-service';
import { createTokensService } from './tokens/create-tokens-service';
import { createVaultService } from './vault/create-vault-service';

/** Requests of history whose references the doctor tries. */
const earlierCount = 300;

/** Where the app's own requests ask for their webhooks; the listener takes any path. */
const callbackPath = '/hooks/payments';

/** Everything that runs behind a host. */
export interface Services {
  ports: Ports;
  events: EventBus;
  router: Router;
  handlers: Handlers;
  environments: ReturnType<typeof createEnvironmentsService>;
  vault: ReturnType<typeof createVaultService>;
  tokens: ReturnType<typeof createTokensService>;
  sending: ReturnType<typeof createSendingService>;
  /** Starts what the app needs without a click: key, sandbox, listener. Failures stand in the status. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Puts the services together: the one place that knows all of them.
 *
 * Nothing runs yet when it returns; a command that only reads keeps it so, the app calls `start`.
 * @throws {AppError} `platform.*` where the data directory or a database cannot be used
 */
export async function createServices(ports: Ports): Promise<Services> {
  const events = createEventBus((error) =>
    ports.logger.log('error', 'events.listener_failed', { error: String(error) }),
  );
  const { settings: store } = ports;
  const notices: string[] = [];
  const onRescued = (message: string): void => void notices.push(message);
  const settings = createSettingsService({ settings: store, logger: ports.logger, notices });
  const requestTimeoutMs = (): number => settings.read('requestTimeoutMs');

  const vault = createVaultService({
    ports,
    events,
    autoLockMinutes: () => settings.read('autoLockMinutes'),
    hasEnvironment: (id) => environments.list().some((one) => one.id === id),
    requireBound: (id) => environments.requireBound(id),
    bind: (id) => environments.bind(id),
    identifyEnvironment: (name) => environments.identifyFormer(name),
  });
  const collections = createCollectionsService({ ...ports, events });
  const environments = createEnvironmentsService({
    settings: store,
    events,
    collections: () => collections.list(),
    vaultFacts: (id) => vault.facts(id),
    onRename: (from, to) => vault.renameEnvironment(from, to),
  });
  const tokens = createTokensService({
    ports,
    vault,
    requireBound: (id) => environments.requireBound(id),
    requestTimeoutMs,
  });
  const signing = createSigningService(vault);
  const history = createHistoryService({ ports, events, onRescued });
  const sending = createSendingService({
    ports,
    keys: vault,
    tokens,
    environments,
    history,
    requestTimeoutMs,
  });
  const lookups = createLookupsService({ sending, environments });
  const balances = createBalancesService({ sending, environments });
  const inbox = createInboxService({
    ports,
    events,
    history,
    onRescued,
    onAddress: (url) =>
      environments.setLocalAddresses({ callbackUrl: url === null ? null : `${url}${callbackPath}` }),
  });
  const journey = createJourneyService({ history, inbox, events });
  const doctor = createDoctorService({
    keys: vault,
    ports,
    events,
    listEarlier: () => history.store.listSigned(earlierCount),
  });
  const local = createLocalSetup({ ports, events, vault, sandbox: () => sandbox });
  const sandbox = createSandboxService({
    ports,
    events,
    readCredentials: local.readCredentials,
    listPublicKeys: local.listPublicKeys,
    onRescued,
    onStarted: (baseUrl) => environments.setLocalAddresses({ baseUrl }),
    diagnose: async (input) =>
      doctor.handlers['doctor.diagnose']({ diagnosisId: ports.random.uuid(), ...input }),
  });
  const status = createAppStatus({
    ports,
    events,
    environments,
    sandbox,
    vault,
    listener: () => inbox.status(),
    unreadCount: () => countUnread(inbox, ports),
  });

  const externalPages = createExternalPages({
    ports,
    sandboxUrl: () => sandbox.status().baseUrl,
    hasCheckoutUrl: (url) => history.store.hasCheckoutUrl(url),
  });

  const handlers: Handlers = {
    ...settings.handlers,
    ...vault.handlers,
    ...collections.handlers,
    ...environments.handlers,
    ...tokens.handlers,
    ...signing.handlers,
    ...history.handlers,
    ...sending.handlers,
    ...lookups.handlers,
    ...balances.handlers,
    ...inbox.handlers,
    ...journey.handlers,
    ...doctor.handlers,
    ...sandbox.handlers,
    'app.status': () => status.read(),
    ...externalPages.handlers,
  };
  const router = createRouter({ handlers, host: ports.host, logger: ports.logger });

  return {
    ports,
    events,
    router,
    handlers,
    environments,
    vault,
    tokens,
    sending,
    async start() {
      // First: everything else may read the folders of the collections.
      await Promise.all([collections.start(), local.start(), inbox.start()]);
    },
    async close() {
      status.close();
      local.close();
      collections.close();
      vault.close();
      await Promise.all([sandbox.close(), inbox.close(), doctor.close()]);
      history.close();
    },
  };
}

/** An inbox that cannot be opened says so in the listener's state and in its own list; the rest of the status stands. */
function countUnread(inbox: { unreadCount(): number }, { logger }: Pick<Ports, 'logger'>): number {
  try {
    return inbox.unreadCount();
  } catch (error) {
    logger.log('warn', 'inbox.not_counted', { error: String(error) });
    return 0;
  }
}
