import { randomUUID } from 'node:crypto';
import type { HandlersOf, MethodOutput, ParsedInput } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { WebhookSummary } from '@shared/contract/inbox';
import type { TeamInbox } from '@shared/contract/team';
import { AppError, toErrorReply } from '@shared/errors';
import { coalesce } from '../../platform/coalesce';
import { createTurns } from '../../platform/create-turns';
import type { Ports } from '../../platform/ports';
import type { SealedVariables } from '../environments/secret-variables';
import { errorsOf } from '../errors-of';
import type { HistoryService } from '../history/create-history-service';
import type { InboxSource } from '../inbox/inbox-source';
import { summariseWebhook } from '../inbox/webhook-view';
import { MOST_TEAM_INBOXES, readTeamEntries, writeTeamEntries, type TeamEntry } from './team-settings';
import type { OpenedInbox } from './open-team-inbox';
import { REFUSED, TeamInboxes } from './team-inboxes';
import { TeamPasswords } from './team-passwords';

const TeamError = errorsOf<'team'>();
/** Statuses are told at most ten times a second. */
const TELL_MS = 100;

export interface TeamDeps {
  ports: Pick<Ports, 'settings' | 'clock' | 'logger' | 'given' | 'onNotice'>;
  events: EventBus;
  history: { store: Pick<HistoryService['store'], 'findAnswered'> };
  vault(): Promise<SealedVariables>;
}

export interface TeamService {
  handlers: HandlersOf<'team'>;
  /** An inbox that is open. @throws {AppError} `team.unknown`, `team.lost` */
  source(id: string): InboxSource;
  /** The inbox that the run was given, opened with the first call. @throws {AppError} `store.*` */
  givenSource(): Promise<InboxSource>;
  /** Webhooks of one payment in every inbox that is open, their ids as `inbox/id`; one that cannot be reached has none. */
  findByPayment(
    reference: string,
    paymentUuids: readonly string[],
  ): Promise<{
    webhooks: WebhookSummary[];
    /** Names of those that were opened and could not be asked. */
    unasked: string[];
  }>;
  close(): Promise<void>;
}

/** Makes the service of team inboxes: which there are, their passwords, and those that are open. */
export function createTeamService({ ports, events, history, vault }: TeamDeps): TeamService {
  const { settings } = ports;
  const passwords = new TeamPasswords(vault);
  const notice = coalesce(() => events.emit('team.changed', list()), { everyMs: TELL_MS });
  const open = new TeamInboxes({
    ...ports,
    events,
    history: history.store,
    onChange: () => notice.ask(),
  });
  const find = (id: string): TeamEntry => {
    const found = readTeamEntries(settings).find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new TeamError(
      'team.unknown',
      'There is no such team inbox here. Add it again, or choose another.',
      {
        details: { id: id.slice(0, 40) },
      },
    );
  };
  const describe = (entry: TeamEntry): TeamInbox => {
    const { id, name, address } = entry;
    return { id, name, address, ...open.status(id), password: passwords.find(entry) };
  };
  const list = (): MethodOutput<'team.list'> => ({ inboxes: readTeamEntries(settings).map(describe) });
  const desk: Desk = { settings, passwords, open, find, describe, tell: () => notice.ask() };

  return {
    handlers: { 'team.list': list, ...createEntryHandlers(desk), ...createConnectionHandlers(desk) },
    source(id) {
      // One that was removed, or never added, cannot be opened first.
      if (id !== GIVEN && open.status(id).state === 'closed') find(id);
      return open.source(id);
    },
    async givenSource() {
      await open.open(GIVEN, async () => {
        const [{ openTeamInbox }] = await loadConnections();
        const opened = await openTeamInbox(ports.given.inboxStore ?? '', process.env);
        for (const text of opened.server.remarks) ports.onNotice?.(text);
        return opened;
      });
      return open.source(GIVEN);
    },
    findByPayment: async (...payment) => {
      const unasked: string[] = [];
      const found = open.listOpened().map(async ([store, source]) => {
        try {
          const rows = await (source ?? open.source(store)).findByPayment(...payment);
          const webhooks = rows.map((row) => summariseWebhook(row, history.store));
          return webhooks.map((webhook) => ({ ...webhook, id: `${store}/${webhook.id}` }));
        } catch (error) {
          ports.logger.log('warn', 'team.unread', { error: toErrorReply(error).code });
          unasked.push(...readTeamEntries(settings).flatMap(({ id, name }) => (id === store ? [name] : [])));
          return [];
        }
      });
      return { webhooks: (await Promise.all(found)).flat(), unasked };
    },
    async close() {
      notice.cancel();
      await open.closeAll();
    },
  };
}

/** What the handlers work with. */
interface Desk {
  readonly settings: Ports['settings'];
  readonly passwords: TeamPasswords;
  readonly open: TeamInboxes;
  find(id: string): TeamEntry;
  describe(entry: TeamEntry): TeamInbox;
  tell(): void;
}

function createEntryHandlers({
  settings,
  passwords,
  open,
  find,
  describe,
  tell,
}: Desk): Pick<HandlersOf<'team'>, 'team.save' | 'team.remove'> {
  // Each waits for its address and its password: what another wrote meanwhile would be gone.
  const inTurn = createTurns();
  type Saved = ParsedInput<'team.save'>;
  const save = async ({ id = randomUUID(), name, address, password, isKept }: Saved): Promise<TeamInbox> => {
    const entries = readTeamEntries(settings);
    const before = entries.find((one) => one.id === id);
    const kept = await checkAddress(address);
    if (before === undefined && entries.length >= MOST_TEAM_INBOXES) {
      throw new TeamError('team.too_many', `There are ${MOST_TEAM_INBOXES} team inboxes. Remove one first.`);
    }
    // A password is sent to the address that it was given for, and to no other.
    const isSealed = password === null ? before?.address === kept && before.isSealed : isKept;
    const entry = { id, name, address: kept, isSealed };
    if (password !== null) await passwords.keep(entry, password, isKept);
    writeTeamEntries(
      settings,
      before === undefined ? [...entries, entry] : entries.map((one) => (one.id === id ? entry : one)),
    );
    // One that is open goes on with what it was opened with.
    if (before !== undefined && (before.address !== kept || password !== null)) await open.close(id);
    tell();
    return describe(entry);
  };
  return {
    'team.save': (input) => inTurn(() => save(input)),
    'team.remove': ({ id }) =>
      inTurn(async () => {
        const entry = find(id);
        await open.close(id);
        await passwords.forget(entry);
        writeTeamEntries(
          settings,
          readTeamEntries(settings).filter((one) => one.id !== id),
        );
        tell();
        return {};
      }),
  };
}

function createConnectionHandlers({
  settings,
  passwords,
  open,
  find,
  describe,
}: Desk): Pick<HandlersOf<'team'>, 'team.test' | 'team.open' | 'team.close'> {
  const connect = async (entry: TeamEntry, given: string | null): Promise<OpenedInbox> => {
    const password = given ?? (await passwords.read(entry));
    const [{ openTeamInbox }] = await loadConnections();
    return openTeamInbox(entry.address, password === null ? {} : { PGPASSWORD: password }).catch(
      explainRefusal,
    );
  };
  return {
    'team.test': async ({ id, address, password }) => {
      const known = readTeamEntries(settings).find((one) => one.id === id);
      const entry = { id: 'new', name: '', isSealed: false, ...known, address: await checkAddress(address) };
      const opened = await connect(entry, password);
      await opened.close();
      const [, { describeConnection }] = await loadConnections();
      return { facts: describeConnection(opened) };
    },
    'team.open': async ({ id, password }) => {
      const entry = find(id);
      if (password !== null) await passwords.keep(entry, password, false);
      await open.open(id, () => connect(entry, password));
      return describe(entry);
    },
    'team.close': async ({ id }) => {
      const entry = find(id);
      await open.close(id);
      return describe(entry);
    },
  };
}

/** Name of the inbox that a run was given, among those that are open. */
const GIVEN = 'given';

/** The driver is loaded when an inbox is first asked for. */
const loadConnections = () =>
  Promise.all([import('./open-team-inbox'), import('./describe-connection')] as const);

/** @returns the address as it is kept: without what the environment would add @throws {AppError} `store.bad_address` */
async function checkAddress(address: string): Promise<string> {
  const { readStoreAddress } = await import('../../listener/postgres/store-address');
  readStoreAddress(address.trim(), {});
  return address.trim();
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'store.refused') throw error;
  throw new TeamError('team.password_needed', REFUSED, { cause: error });
}
