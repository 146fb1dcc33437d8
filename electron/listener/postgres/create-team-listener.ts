import type { AppError } from '@shared/errors';
import { serveAddresses, type WebhookAddresses } from '../webhook-addresses';
import type { CommittedBatch } from '../open-inbox';
import type { NotTaken } from '../webhook-server';
import { checkServer, openStorePool, requireWritable, type StorePool } from './connect-postgres';
import { BatchKeeper } from './keep-batches';
import { keepUp } from './keep-up';
import { migratePostgres } from './migrate-postgres';
import { SCHEMA } from './postgres-schema';
import type { StoreAddress } from './store-address';
import { toStoreError } from './store-errors';
import { writeBatch } from './write-batch';

/** One writes, one sees to the days; a receiver needs no more of the server's connections. */
const CONNECTIONS = 2;
const STATEMENT_MS = 5000;

export interface TeamListenerOptions {
  store: StoreAddress;
  environment: Readonly<Record<string, string | undefined>>;
  /** What signatures are verified with. */
  keys: readonly string[];
  /** Days that ended longer ago are dropped; null: none are, by this receiver. */
  keepMs: number | null;
  /** Where certificates are kept; null: nowhere. */
  folder: string | null;
  onCommit?(batch: CommittedBatch): void;
  /** Webhooks cannot be kept and are answered 503; null: they are kept again. */
  onProblem?(problem: AppError | null): void;
  /** Told of what an address was sent and does not keep. */
  onNotTaken?: (id: string, request: NotTaken) => void;
  /** After a problem: the store answers, and is given the next webhook. */
  onAnswers?(): void;
  /** What the user should hear of the server. */
  onRemark?(remark: string): void;
}

export interface TeamListener extends WebhookAddresses {
  /** Answers what it has taken, then lets go of the store. */
  close(): Promise<void>;
}

/**
 * Receives webhooks into a team's store: one of as many as are started. It keeps nothing itself.
 *
 * A webhook is answered only after its transaction is on the server's disk. While the store is away, webhooks are answered
 * 503 with `Retry-After`, and it goes on by itself when the store is back.
 * @throws {AppError} `store.*` where the store cannot be used from the start
 */
export async function createTeamListener(options: TeamListenerOptions): Promise<TeamListener> {
  const pool = openStorePool(options.store, options.environment, {
    applicationName: 'countersign receiver',
    most: CONNECTIONS,
    statementMs: STATEMENT_MS,
  });
  try {
    await prepareStore(pool, options);
  } catch (error) {
    await pool.end();
    throw toStoreError(error);
  }
  const { keys } = options;
  const { tellTrouble, tellAnswer } = createTeller(options);
  const ping = (): Promise<void> => requireWritable(pool);
  const keeper = new BatchKeeper({
    write: (receipt, webhooks, isPlain) => writeBatch(pool, receipt, webhooks, keys, isPlain),
    ping,
    onKept(firstId, webhooks) {
      for (const webhook of webhooks) webhook.keep();
      options.onCommit?.({ ids: webhooks.map((_webhook, at) => firstId + at), webhooks, keys });
    },
    onTrouble: tellTrouble,
    onAnswers: tellAnswer,
  });
  const upkeep = keepUp(
    { run: () => keepDays(pool, options, AS_IT_RUNS), ping },
    { trouble: tellTrouble, answer: tellAnswer },
  );
  const {
    secretPaths: _paths,
    stopAll,
    ...addresses
  } = serveAddresses((webhooks) => keeper.accept(webhooks), options.folder, options.onNotTaken);
  return {
    ...addresses,
    async close() {
      upkeep.stop();
      await stopAll();
      await keeper.close();
      await pool.end();
    },
  };
}

async function prepareStore(pool: StorePool, options: TeamListenerOptions): Promise<void> {
  const { remarks } = await checkServer(pool, true);
  for (const remark of remarks) options.onRemark?.(remark);
  const session = await pool.connect();
  try {
    await migratePostgres(session);
  } finally {
    session.release();
  }
  await keepDays(pool, options, AT_START);
}

/** What keeps no webhook from being kept, where days cannot be dropped: at the start a right that is missing is said. */
const AT_START: readonly string[] = ['store.busy'];
const AS_IT_RUNS: readonly string[] = ['store.busy', 'store.not_allowed'];

/**
 * Makes the tables of the days to come, and drops those that are not to be kept: by the server's clock, as ids are made.
 *
 * @param harmless - codes of what is a remark alone where days cannot be dropped
 */
async function keepDays(
  pool: StorePool,
  { keepMs, onRemark }: TeamListenerOptions,
  harmless: readonly string[],
): Promise<void> {
  await pool.query(`SELECT ${SCHEMA}.make_days()`);
  if (keepMs === null) return;
  try {
    await pool.query(`SELECT ${SCHEMA}.drop_days(now() - make_interval(secs => $1))`, [keepMs / 1000]);
  } catch (error) {
    const { code, message } = toStoreError(error);
    if (!harmless.includes(code)) throw error;
    const why = code === 'store.busy' ? 'The store is busy, with a backup for one.' : message;
    onRemark?.(`Days past --keep-days are not dropped now; the next try is in an hour. ${why}`);
  }
}

/** The same trouble is told once, however many webhooks it meets; a short one that passes by itself is told, too. */
function createTeller({ onProblem, onAnswers }: Pick<TeamListenerOptions, 'onProblem' | 'onAnswers'>) {
  let told: string | null = null;
  return {
    tellTrouble(error: unknown): void {
      const problem = error === null ? null : toStoreError(error);
      if ((problem?.code ?? null) === told) return;
      told = problem?.code ?? null;
      onProblem?.(problem);
    },
    /** Says so where there was trouble. */
    tellAnswer(): void {
      if (told === null) return;
      told = null;
      onAnswers?.();
    },
  };
}
