import type { Retention } from '../listener/inbox-indexer';
import type { OpenCollection } from '@shared/contract/collections';
import { labelEnvironment } from '@shared/contract/environment-id';
import type { EventBus } from '@shared/contract/events';
import type { HostPorts, Ports, SettingsStore, WorkerMethods } from '../platform/ports';
import type { LongWork } from '../platform/workers/long-work';
import type { AppService } from './app/create-app-service';
import type { LocalSetup } from './app/local-setup';
import type { BalancesService } from './balances/create-balances-service';
import type { CollectionsService } from './collections/create-collections-service';
import type { DataService } from './data/create-data-service';
import type { DoctorService } from './doctor/create-doctor-service';
import type { EnvironmentsService } from './environments/create-environments-service';
import type { HistoryService } from './history/create-history-service';
import type { ImportJob } from './imports/import-job';
import type { ImportsService } from './imports/create-imports-service';
import type { InboxService } from './inbox/create-inbox-service';
import { LOCAL } from './inbox/inbox-source';
import type { JourneyService } from './journey/create-journey-service';
import type { LensService } from './lens/create-lens-service';
import type { LookupsService } from './lookups/create-lookups-service';
import type { RunningService } from './running/create-running-service';
import type { SandboxService } from './sandbox/create-sandbox-service';
import type { SendingService } from './sending/create-sending-service';
import type { SettingsService } from './settings/create-settings-service';
import type { SigningService } from './signing/create-signing-service';
import type { KeySource } from './signing/key-source';
import type { TeamService } from './team/create-team-service';
import type { TokensService } from './tokens/create-tokens-service';
import type { UpdatesService } from './updates/create-updates-service';
import type { VaultService } from './vault/create-vault-service';

/** Everything that can be asked for, by name. */
export interface Capabilities {
  /** The ports with the settings opened. */
  ports: Ports;
  /** What signs: the vault, or the key that the run was given. */
  keys: KeySource;
  local: LocalSetup;
  app: AppService;
  balances: BalancesService;
  collections: CollectionsService;
  data: DataService;
  doctor: DoctorService;
  environments: EnvironmentsService;
  history: HistoryService;
  imports: ImportsService;
  inbox: InboxService;
  journey: JourneyService;
  lens: LensService;
  lookups: LookupsService;
  running: RunningService;
  sandbox: SandboxService;
  sending: SendingService;
  settings: SettingsService;
  signing: SigningService;
  team: TeamService;
  tokens: TokensService;
  updates: UpdatesService;
  vault: VaultService;
}

export type CapabilityName = keyof Capabilities;

/** What a capability is made with. What it needs of another it asks for; where two need each other, one asks late. */
export interface Maker {
  readonly ports: HostPorts;
  readonly events: EventBus;
  /** What the user must hear of what was found at the start: settings or databases that were damaged. */
  readonly notices: readonly string[];
  /** Adds a notice, and has the host say it at once where it has a way. */
  notify(notice: string): void;
  /** Gives a capability; makes it, and loads its modules, with the first call. */
  need<N extends CapabilityName>(name: N): Promise<Capabilities[N]>;
  needAll<N extends CapabilityName>(...names: readonly N[]): Promise<Pick<Capabilities, N>>;
}

/** References and strings of so many earlier requests are tried by the doctor. */
const EARLIER_COUNT = 300;

/** Where the app's own requests ask for their webhooks; the listener takes any path. */
const CALLBACK_PATH = '/hooks/payments';

/** How each capability is put together: the one place that knows all of them. Modules load here, so that nothing loads unasked. */
export const makers: { readonly [N in CapabilityName]: (maker: Maker) => Promise<Capabilities[N]> } = {
  async ports({ ports }) {
    const settings: SettingsStore = await ports.openSettings();
    return { ...ports, settings };
  },

  async settings({ notices, events, need, needAll }) {
    const { createSettingsService } = await import('./settings/create-settings-service');
    return createSettingsService({
      ...(await need('ports')),
      notices,
      environments: () => need('environments'),
      holdsRecords: async () => {
        const { inbox, history } = await needAll('inbox', 'history');
        const newest = { limit: 1, before: null };
        const { totalCount } = await inbox.handlers['inbox.list']({
          ...newest,
          store: 'local',
          search: '',
          filter: 'all',
        });
        if (totalCount > 0) return true;
        return (await history.handlers['history.list'](newest)).exchanges.length > 0;
      },
      onChanged: (names) => events.emit('settings.changed', { names }),
    });
  },

  async data({ ports }) {
    const { createDataService } = await import('./data/create-data-service');
    return createDataService(ports);
  },

  async updates({ ports, need }) {
    const { createUpdatesService } = await import('./updates/create-updates-service');
    const settings = await need('settings');
    const readSource = () => ({
      address: settings.read('updateAddress'),
      publicKeyPem: settings.read('updateKey'),
    });
    const writeSource = ({ address, publicKeyPem }: ReturnType<typeof readSource>): void =>
      settings.write({ updateAddress: address, updateKey: publicKeyPem });
    return createUpdatesService({ ...ports, readSource, writeSource });
  },

  async vault({ ports, events, needAll }) {
    const { createVaultService } = await import('./vault/create-vault-service');
    const { settings, environments } = await needAll('settings', 'environments');
    return createVaultService({
      ports,
      events,
      autoLockMinutes: () => settings.read('autoLockMinutes'),
      labelOf: (id) => labelEnvironment(id, environments.list()),
      hasEnvironment: (id) => environments.list().some((one) => one.id === id),
      requireBound: (id) => environments.requireBound(id),
      bind: (id) => environments.bind(id),
      identifyEnvironment: (name) => environments.identifyFormer(name),
    });
  },

  async keys({ ports, need }) {
    const { getSigningKey, listPublicKeys } = await need('vault');
    if (ports.given.signingKey === null && ports.dataDirectory !== null) {
      return { getSigningKey, listPublicKeys };
    }
    const { createGivenKeys } = await import('./signing/given-key');
    return createGivenKeys(ports.given.signingKey, { listPublicKeys });
  },

  async collections({ events, need }) {
    const { createCollectionsService } = await import('./collections/create-collections-service');
    const { createFolderExport } = await import('./collections/export-collection');
    const ports = await need('ports');
    return createCollectionsService({
      ...ports,
      events,
      longWork: await makeLongWork(ports, createFolderExport(ports)),
      onMoved: async (from, to) => (await need('history')).moveRequests(from, to),
    });
  },

  async environments({ ports, events, notify, need }) {
    const { host, given, logger, listOwnProduction } = ports;
    const { createEnvironmentsService } = await import('./environments/create-environments-service');
    const { settings } = await need('ports');
    const environments = createEnvironmentsService({
      settings,
      events,
      logger,
      notify,
      collections: await followCollections({ ports, need }),
      vaultFacts: async (id) => (await need('vault')).facts(id),
      sealedVariables: async () => (await need('vault')).variables,
      sealedParts: async () => (await need('vault')).connections,
      onRename: async (from, to) => (await need('vault')).renameEnvironment(from, to),
      onRenamed: async (from, to) => {
        await (await need('history')).renameEnvironment(from, to);
        await (await need('running')).renameEnvironment(from, to);
      },
      listOwnProduction,
      usesLastLocal: host === 'cli',
    });
    if (given.environment !== null) environments.addTemporary(given.environment);
    return environments;
  },

  async imports({ ports, events, need, needAll }) {
    const { createImportsService } = await import('./imports/create-imports-service');
    return createImportsService({
      hasVault: ports.dataDirectory !== null,
      startJob: () => ports.startWorker<ImportJob, Record<never, never>>('imports', {}),
      collections: async () => (await need('collections')).list(),
      placeCollection: async (name) => (await need('collections')).place(name),
      openMade: async (directory) => (await need('collections')).openMade(directory),
      keeper: async () => {
        const { environments, vault } = await needAll('environments', 'vault');
        return { environments, vault: vault.handlers };
      },
      listHomeless: async () =>
        (await need('environments'))
          .list()
          .filter(({ source, baseUrl }) => source === 'data' && baseUrl === '')
          .map(({ name }) => name),
      announce: (collectionId) => {
        events.emit('collections.changed', { collectionId, paths: [] });
        events.emit('environments.changed', {});
      },
    });
  },

  async tokens({ ports, need, needAll }) {
    const { createTokensService } = await import('./tokens/create-tokens-service');
    const { vault, environments, settings } = await needAll('vault', 'environments', 'settings');
    return createTokensService({
      ports: await routeHttp({ ports, need }),
      vault,
      requireBound: (id) => environments.requireBound(id),
      labelOf: (id) => labelEnvironment(id, environments.list()),
      listSessionSecrets: (id) => environments.listSessionSecrets(id),
      requestTimeoutMs: () => ports.given.requestTimeoutMs ?? settings.read('requestTimeoutMs'),
    });
  },

  async signing({ need }) {
    const { createSigningService } = await import('./signing/create-signing-service');
    return createSigningService(await need('keys'));
  },

  async history({ ports, events, notify, need }) {
    if (ports.dataDirectory === null) {
      const { createUnkeptHistory } = await import('./history/create-unkept-history');
      return createUnkeptHistory(ports);
    }
    const { createHistoryService } = await import('./history/create-history-service');
    const settings = await need('settings');
    return createHistoryService({
      ports,
      events,
      retention: () => ({ most: settings.read('historyMost'), days: settings.read('historyDays') }),
      onRescued: notify,
    });
  },

  async sending({ ports, need, needAll }) {
    const { createSendingService } = await import('./sending/create-sending-service');
    const { sendingWork } = await import('./sending/sending-work');
    const settings = await need('settings');
    return createSendingService({
      ...(await needAll('keys', 'tokens', 'environments', 'history')),
      ports: await routeHttp({ ports, need }),
      longWork: await makeLongWork(ports, sendingWork),
      requestTimeoutMs: () => ports.given.requestTimeoutMs ?? settings.read('requestTimeoutMs'),
    });
  },

  async lookups({ needAll }) {
    const { createLookupsService } = await import('./lookups/create-lookups-service');
    return createLookupsService(await needAll('sending', 'environments'));
  },

  async running({ events, need, needAll }) {
    const { createRunningService } = await import('./running/create-running-service');
    return createRunningService({
      ...(await needAll('ports', 'sending', 'lookups', 'balances', 'keys', 'environments')),
      events,
      collections: () => need('collections'),
      inbox: () => need('inbox'),
    });
  },

  async balances({ need, needAll }) {
    const { createBalancesService } = await import('./balances/create-balances-service');
    return createBalancesService({
      ...(await needAll('sending', 'environments', 'history')),
      journey: () => need('journey'),
    });
  },

  async inbox({ events, notify, need, needAll }) {
    const { createInboxService } = await import('./inbox/create-inbox-service');
    const { describeReplay } = await import('./inbox/replay-webhook');
    const { tryRulesOn } = await import('./inbox/try-rules');
    const { writeExport } = await import('./inbox/export-webhooks');
    const { explainSignature } = await import('./inbox/explain-signature');
    const { findService } = await import('./environments/find-service');
    const { ports, history, environments, settings } = await needAll(
      'ports',
      'history',
      'environments',
      'settings',
    );
    let hadTunnel = false;
    return createInboxService({
      ports,
      events,
      history,
      longWork: await makeLongWork(ports, {
        describeReplay,
        tryRules: tryRulesOn,
        writeExport,
        explainSignature,
      }),
      readWebhookStates: (id) =>
        environments.list().find((one) => one.id === id)?.setup.profile.webhookStates ?? {},
      readService: (sent) => findService(sent, environments.list()),
      listProduction: () => environments.listProduction(),
      readSealingKey: () => readListenerKey({ ports, need }),
      readWebhookKeys: () => readWebhookKeys({ ports, need }),
      findTeam: async (store) => {
        const team = await need('team');
        return store === LOCAL ? team.givenSource() : team.source(store);
      },
      readRetention: () => readRetention(settings),
      onRescued: notify,
      onAddress(url, isTunnel) {
        environments.setLocalAddresses({ callbackUrl: url === null ? null : joinCallback(url) });
        const host = isTunnel && url !== null ? new URL(url).hostname : null;
        if (host === null && !hadTunnel) return;
        hadTunnel = host !== null;
        void need('sandbox').then((sandbox) => sandbox.setOwnHost(host));
      },
    });
  },

  async team({ events, need, needAll }) {
    const { createTeamService } = await import('./team/create-team-service');
    return createTeamService({
      ...(await needAll('ports', 'history')),
      events,
      vault: async () => (await need('vault')).teamStores,
    });
  },

  async journey({ ports: { dataDirectory, logger, given }, events, needAll }) {
    const { createJourneyService } = await import('./journey/create-journey-service');
    const { listSecretsThere } = await import('./tokens/list-secrets-there');
    return createJourneyService({
      ...(await needAll('history', 'inbox', 'team', 'environments')),
      events,
      listSecrets: async () =>
        listSecretsThere(null, { given, ...(await needAll('environments', 'tokens')) }),
      async findUndelivered(...payment) {
        if (dataDirectory === null) return undefined;
        const { readUndelivered } = await import('../sandbox/read-folder');
        try {
          return readUndelivered(dataDirectory, ...payment);
        } catch (error) {
          // What was sent and received is told all the same.
          logger.log('warn', 'journey.sandbox_unread', { message: String(error) });
          return undefined;
        }
      },
    });
  },

  async doctor({ ports, events, needAll }) {
    const { createDoctorService } = await import('./doctor/create-doctor-service');
    const { keys, history, environments } = await needAll('keys', 'history', 'environments');
    return createDoctorService({
      labelOf: (id) => labelEnvironment(id, environments.list()),
      keys,
      ports,
      events,
      async listSecrets() {
        if (ports.dataDirectory === null) return [];
        const { listSecretsThere } = await import('./tokens/list-secrets-there');
        return listSecretsThere(null, { ...ports, ...(await needAll('environments', 'tokens')) });
      },
      listEarlier: () => history.store.listSigned(EARLIER_COUNT),
    });
  },

  async local({ ports, events, need }) {
    const { createLocalSetup } = await import('./app/local-setup');
    return createLocalSetup({ ports, events, vault: await need('vault'), sandbox: () => need('sandbox') });
  },

  async sandbox({ events, notify, need, needAll }) {
    const { createSandboxService } = await import('./sandbox/create-sandbox-service');
    const { ports, local, environments, history } = await needAll(
      'ports',
      'local',
      'environments',
      'history',
    );
    const { recordBackendPayments } = await import('./sandbox/record-backend-payments');
    const sandbox = createSandboxService({
      ports,
      events,
      readCredentials: local.readCredentials,
      readStoreKey: async () => {
        const { readStoreKey } = await import('./vault/store-key');
        return readStoreKey((await need('vault')).store, ports, 'sandbox');
      },
      listPublicKeys: local.listPublicKeys,
      onRescued: notify,
      onStarted: (baseUrl) => environments.setLocalAddresses({ baseUrl }),
      diagnose: async (input) => {
        const { handlers } = await need('doctor');
        return handlers['doctor.diagnose']({ diagnosisId: ports.random.uuid(), ...input });
      },
    });
    const stopRecording = recordBackendPayments({ ports, events, sandbox, history });
    return {
      ...sandbox,
      close() {
        stopRecording();
        return sandbox.close();
      },
    };
  },

  async lens({ ports: { given }, events, need, needAll }) {
    const { createLensService } = await import('./lens/create-lens-service');
    const { createLensSources } = await import('./lens/lens-sources');
    const { ports, environments, history, keys } = await needAll('ports', 'environments', 'history', 'keys');
    const sources = createLensSources({ given, environments, history, keys, need });
    return createLensService({ ports, events, ...sources });
  },

  async app({ ports, events, need, needAll }) {
    const { createAppService } = await import('./app/create-app-service');
    const { store } = await need('history');
    return createAppService({
      ...(await needAll('environments', 'sandbox', 'vault', 'inbox')),
      ports,
      events,
      history: store,
    });
  },
};

/** How much the inbox keeps; a setting of 0 is no limit. */
function readRetention({ read }: Pick<Capabilities['settings'], 'read'>): Retention {
  const [count, days, mib] = [read('keepCount'), read('keepDays'), read('keepMib')];
  return {
    count: count === 0 ? null : count,
    ageMs: days === 0 ? null : days * 86_400_000,
    sizeBytes: mib === 0 ? null : mib * 1024 * 1024,
  };
}

/** The ports of what sends for environments: each call goes the way that its environment asks for. */
async function routeHttp({ ports, need }: Pick<Maker, 'ports' | 'need'>): Promise<HostPorts> {
  const { createRoutedHttp } = await import('./environments/routed-http');
  const { connect } = await need('environments');
  return { ...ports, http: createRoutedHttp(ports.http, connect) };
}

/** What webhooks are signed with: the secrets that the run was given, else that of the sandbox where one runs here. */
async function readWebhookKeys({
  ports,
  need,
}: {
  ports: Pick<HostPorts, 'given' | 'host'>;
  need: Maker['need'];
}): Promise<readonly string[]> {
  const { webhookKeys } = ports.given;
  if (webhookKeys.length > 0 || ports.host === 'cli') return webhookKeys;
  const { handlers } = await need('sandbox');
  const { secret } = await handlers['sandbox.revealWebhookSecret']({});
  return [secret];
}

/** The tunnel's address may end in a slash or in a folder of its own. */
function joinCallback(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '') + CALLBACK_PATH;
}

/** What seals the listener's private key; null where the vault cannot be opened: then it is kept in memory. */
export async function readListenerKey({
  ports,
  need,
}: {
  ports: Pick<HostPorts, 'clock' | 'random'>;
  need: Maker['need'];
}): Promise<string | null> {
  const { tryReadStoreKey } = await import('./vault/store-key');
  return tryReadStoreKey((await need('vault')).store, ports, 'listener');
}

/** Whose environments count. The command line reads which collections are open, and opens or copies nothing. */
async function followCollections({
  ports: { host, given },
  need,
}: Pick<Maker, 'ports' | 'need'>): Promise<() => readonly OpenCollection[]> {
  if (host !== 'cli') {
    const collections = await need('collections');
    return () => collections.list();
  }
  const { createCollectionRegistry } = await import('./collections/collection-registry');
  const registry = createCollectionRegistry({ ...(await need('ports')), usual: null });
  const folder = given.collectionDirectory;
  return () => (folder === null ? registry.list() : [registry.identify(folder)]);
}

/** A command waits for what it asked for and does nothing else: it needs no thread. */
async function makeLongWork<Methods extends WorkerMethods>(
  { host, startWorker }: Pick<HostPorts, 'host' | 'startWorker'>,
  methods: Methods,
): Promise<LongWork<Methods>> {
  const { createLongWork } = await import('../platform/workers/long-work');
  return createLongWork(host === 'cli' ? null : startWorker, methods);
}
