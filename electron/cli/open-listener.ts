import { join } from 'node:path';
import type { ForwardRoute } from '../listener/forwarding/create-forwarding';
import type { StoreAddress } from '../listener/postgres/store-address';
import { readLogRow, type StoredWebhook } from '../listener/inbox-log';
import type { Retention } from '../listener/inbox-indexer';
import { readCommitted, type CommittedBatch } from '../listener/open-inbox';
import { toErrorReply } from '@shared/errors';
import { toPlainLine } from '@shared/plain-text';
import type { NotTaken } from '../listener/webhook-server';
import type { WebhookAddresses } from '../listener/webhook-addresses';
import { formatSortableId } from '../platform/sortable-id';
import { readRescueNotice } from '../platform/database/rescue-database';
import type { Services } from '../services/create-services';
import type { CommandContext } from './command';
import { leaveOutUnread } from './live-lines';
import type { ListenerWatch } from './listener-watch';
import { type forwardOptions, printAttempt, readRoute, takeBacklog, tellTrouble } from './forward-options';
import type { OptionTable, OptionValues } from './option-table';
import { sayNotTaken } from './say-not-taken';
import { remark } from './remark';
import { sayRescue } from './stored-webhooks';
import { usageError } from './usage-error';
import { createWebhookLines, type WebhookLines } from './webhook-lines';

const DAY_MS = 86_400_000;

/** Options that say where webhooks are kept, and how long. */
export const keepingOptions = {
  data: { placeholder: 'DIR', help: "Folder of the inbox; the app's own where left out" },
  store: {
    placeholder: 'URL',
    help: "Keep them in a team's store, postgres://user@host:port/database, and nothing here",
  },
  'keep-count': {
    type: 'integer',
    help: 'Keep the newest so many; pinned ones stay',
    min: 1,
  },
  'keep-days': { type: 'integer', help: 'Keep those of so many days', min: 1, max: 36_500 },
  'keep-mib': {
    type: 'integer',
    help: 'Keep the newest bodies up to so much in all',
    min: 1,
  },
} as const satisfies OptionTable;

export const storeNotes = [
  'With --store any number of these may run side by side. The password comes from PGPASSWORD or ~/.pgpass; whole days are ' +
    'dropped by --keep-days.',
];

type ListenValues = OptionValues<typeof keepingOptions> & OptionValues<typeof forwardOptions>;

export type OpenedListener = WebhookAddresses & {
  /** Waits until the lines of what came in are written, or nobody reads them. */
  finishLines(): Promise<void>;
  close(): Promise<void>;
};

const NO_FORWARDING =
  'a receiver of a team keeps nothing of its own, and forwards nothing. Take what it keeps to a backend with ' +
  '`countersign inbox replay --store URL --to URL`.';
const WHOLE_DAYS = 'whole days are dropped there, with --keep-days.';

/** What is of the inbox here alone, and what there is instead. */
const notWithStore = [
  ['forward-to', NO_FORWARDING],
  ['exec', NO_FORWARDING],
  ['filter', NO_FORWARDING],
  ['relay-answer', NO_FORWARDING],
  ['backlog', NO_FORWARDING],
  ['keep-count', WHOLE_DAYS],
  ['keep-mib', WHOLE_DAYS],
] as const;

/** Where webhooks go: into the inbox here and on to a backend, or into a team's store. */
type ListenTarget = { readonly route: ForwardRoute | null } | { readonly store: StoreAddress };

interface Opening {
  readonly services: Services;
  readonly target: ListenTarget;
  readonly values: ListenValues;
  readonly keys: readonly string[];
  /** Whoever watches over it; null: nobody. */
  readonly status: ListenerWatch | null;
}

/**
 * Reads where webhooks go, before anything is opened.
 *
 * @throws {AppError} `cli.usage`, `store.bad_address`, `listener.bad_forward`, `inbox.bad_filter`
 */
export async function readTarget(
  { environment }: CommandContext,
  values: ListenValues,
): Promise<ListenTarget> {
  if (values.store === undefined) return { route: await readRoute(values) };
  const notHere = notWithStore.find(([name]) => values[name] !== undefined && values[name] !== false);
  if (notHere !== undefined) throw usageError(`--${notHere[0]} does not go with --store: ${notHere[1]}`);
  const { readStoreAddress } = await import('../listener/postgres/store-address');
  return { store: readStoreAddress(values.store, environment) };
}

/**
 * Opens what `listen` receives into.
 *
 * @throws {AppError} `store.*`, `platform.*`
 */
export function openListener(context: CommandContext, opening: Opening): Promise<OpenedListener> {
  const { target } = opening;
  return 'store' in target
    ? openTeam(context, opening, target.store)
    : openLocal(context, opening, target.route);
}

/** A line each; of the first whose signature does not fit also how to learn why. */
function printEach(
  context: CommandContext,
  { status, values }: Opening,
  lines: WebhookLines,
): (batch: CommittedBatch) => void {
  let isHintGiven = false;
  return (batch) => {
    status?.onCommit(batch);
    batch.ids.forEach((_id, at) => {
      const webhook = readCommitted(batch, at);
      lines.add(webhook);
      if (isHintGiven || webhook.row.verdict !== 'invalid') return;
      isHintGiven = true;
      context.say(sayHowToExplain(webhook, values));
    });
  };
}

function sayHowToExplain({ row }: StoredWebhook, { data, store }: ListenValues): string {
  const given = store === undefined ? (data === undefined ? null : '--data') : '--store';
  const where = given === null ? '' : ` and ${given} as here`;
  const ask = `countersign inbox show ${formatSortableId(row.id)} --secret KEY`;
  return `The signature of ${row.method} ${toPlainLine(row.path)} is not valid. Why, and what its sender did otherwise: ${ask}${where}.`;
}

/** Tells whoever listens, and whoever watches over it. */
function tellNotTaken(context: CommandContext, { status }: Opening): (id: string, request: NotTaken) => void {
  const say = sayNotTaken(context);
  return (id, request) => {
    status?.onNotTaken(request);
    say(id, request);
  };
}

const sayProblem =
  (context: CommandContext, { status }: Opening, more = '') =>
  (problem: Error | null): void => {
    status?.onProblem(problem);
    context.say(problem === null ? 'Webhooks are kept again.' : problem.message + more);
  };

async function openLocal(
  context: CommandContext,
  opening: Opening,
  route: ForwardRoute | null,
): Promise<OpenedListener> {
  const { services, values, keys } = opening;
  const readAgain = (id: number): StoredWebhook | null => {
    const row = listener.inbox.arrivals.get(id);
    return row && readLogRow(row, keys);
  };
  const lines = createWebhookLines(context, readAgain);
  const live = leaveOutUnread(context);
  const listener = await services.serveListener({
    keys,
    onCommit: printEach(context, opening, lines),
    onRescued: remark,
    onForward: (attempt) => printAttempt(live, attempt),
    onForwarding: tellTrouble(context),
    onProblem: sayProblem(context, opening),
    onNotTaken: tellNotTaken(context, opening),
  });
  const { dataDirectory } = services.ports;
  if (dataDirectory !== null) sayRescue(context, readRescueNotice(join(dataDirectory, 'inbox.db')));
  listener.inbox.setRetention(readRetention(values));
  await listener.forwarding.setRoute(route).catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  if (route !== null) {
    // Not waited for: what comes in meanwhile is answered.
    void takeBacklog(context, listener.forwarding, values.backlog).catch((error: unknown) =>
      context.say(`What was missed could not be queued: ${toErrorReply(error).message}`),
    );
  }
  return { ...listener, finishLines: lines.finish };
}

async function openTeam(
  context: CommandContext,
  opening: Opening,
  store: StoreAddress,
): Promise<OpenedListener> {
  const { services, values, keys } = opening;
  const days = values['keep-days'];
  const lines = createWebhookLines(context, null);
  const listener = await services.serveTeamListener({
    store,
    environment: context.environment,
    keys,
    keepMs: days === undefined ? null : days * DAY_MS,
    onCommit: printEach(context, opening, lines),
    onProblem: sayProblem(
      context,
      opening,
      ' Until then webhooks are answered 503 after 10 seconds, and senders should try again.',
    ),
    onNotTaken: tellNotTaken(context, opening),
    onAnswers() {
      opening.status?.onProblem(null);
      context.say('The store answers again: the next webhook shows whether it keeps them.');
    },
    onRemark: (remark) => context.say(remark),
  });
  return { ...listener, finishLines: lines.finish };
}

function readRetention(values: ListenValues): Retention {
  const [days, mib] = [values['keep-days'], values['keep-mib']];
  return {
    count: values['keep-count'] ?? null,
    ageMs: days === undefined ? null : days * DAY_MS,
    sizeBytes: mib === undefined ? null : mib * 1024 * 1024,
  };
}
