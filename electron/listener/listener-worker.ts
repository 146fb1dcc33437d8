import type { WebhookRow } from '@shared/contract/webhook-columns';
import { AppError, type ErrorReply, toErrorReply } from '@shared/errors';
import { coalesce } from '../platform/coalesce';
import type { ForwardRoute } from './forwarding/create-forwarding';
import type { ForwarderState } from './forwarding/forwarder';
import type { UsualAnswer, TunnelProbe } from './webhook-server';
import type { Retention, WebhookMarks } from './inbox-indexer';
import { createListener } from './create-listener';
import { gatherNotTaken, type NotTakenCounts } from './gather-not-taken';
import type { ListenerAddress } from './webhook-addresses';
import { readCommitted, type CommittedBatch } from './open-inbox';

/** At most ten events a second, each with the newest hundred. */
const GATHER_MS = 100;
const MAX_TOLD = 100;

export interface ListenerWorkerOptions {
  /** Path of `inbox.db`. */
  file: string;
}

/** What the worker sends: `received` with the newest rows of a burst, `problem` when storing fails and when it works again. */
export type ListenerWorkerEvents = {
  received: { count: number; rows: WebhookRow[] };
  problem: ErrorReply | null;
  forwarding: ForwardingFacts;
  /** Webhooks went that are not to be kept any more. */
  pruned: { count: number };
  /** Another process marked, deleted or received; what it received is told as `received`, too. */
  changedElsewhere: Record<string, never>;
  /** What the addresses were sent and do not keep, gathered: how many of each, and the latest. */
  notTaken: NotTakenCounts;
};

/** How forwarding to the backend fares. */
export interface ForwardingFacts extends ForwarderState {
  /** Webhooks that came while nothing was forwarded to an address. */
  readonly missedCount: number;
}

/** Calls that the listener's worker answers. */
export type ListenerWorkerMethods = ReturnType<typeof serveListenerWorker>;

/**
 * Answers the calls of the app in the listener's worker thread.
 *
 * The inbox stays open while nothing listens: what it holds can be marked and deleted.
 */
export function serveListenerWorker(
  { file }: ListenerWorkerOptions,
  emit: <E extends keyof ListenerWorkerEvents>(event: E, payload: ListenerWorkerEvents[E]) => void,
) {
  const listener = createListener({
    file,
    onCommit: gatherCommits((payload) => emit('received', payload)),
    onProblem: (problem) => emit('problem', problem === null ? null : toErrorReply(problem)),
    onForwarding: () => gatherForwarding.ask(),
    onPruned: (count) => emit('pruned', { count }),
    onElsewhere({ count, newest }) {
      emit('changedElsewhere', {});
      if (newest.length > 0) emit('received', { count, rows: newest.map(({ row }) => row) });
    },
    onNotTaken: gatherNotTaken((counts) => emit('notTaken', counts)),
  });
  const { inbox, forwarding } = listener;
  const readForwarding = (): ForwardingFacts => ({
    ...(forwarding.states().get('url') ?? {
      trouble: null,
      backlogCount: forwarding.countQueued('url'),
      nextAttemptAt: null,
      failedId: null,
      refusals: { count: 0, reason: null },
    }),
    missedCount: forwarding.countMissed().get('url') ?? 0,
  });
  const gatherForwarding = coalesce(() => emit('forwarding', readForwarding()), { everyMs: 2 * GATHER_MS });
  return {
    start: (address: ListenerAddress) => listener.start(address),
    stop: ({ id }: { id: string }) => listener.stop(id),
    setRules: ({ id, rules }: { id: string; rules: string | null }) => listener.setRules(id, rules),
    setRule: ({ id, rule }: { id: string; rule: UsualAnswer }) => listener.setRule(id, rule),
    markRead: ({ ids, isRead }: { ids: number[] | 'all'; isRead: boolean }) => inbox.markRead(ids, isRead),
    mark: ({ ids, ...marks }: { ids: number[] } & WebhookMarks) => inbox.mark(ids, marks),
    setRetention: ({ retention }: { retention: Retention }) => inbox.setRetention(retention),
    setKeys: ({ keys }: { keys: readonly string[] }) => inbox.setKeys(keys),
    delete({ ids }: { ids: number[] | 'all' }) {
      const count = inbox.deleteWebhooks(ids);
      forwarding.forget(ids);
      return count;
    },
    async setRoute({ route }: { route: ForwardRoute | null }) {
      await forwarding.setRoute(route);
      return readForwarding();
    },
    readForwarding: (_input: object) => readForwarding(),
    takeMissed: async (_input: object) => (await forwarding.takeMissed()).get('url') ?? 0,
    readForwards: ({ id }: { id: number }) => forwarding.readForwards(id),
    setProbe: ({ probe }: { probe: TunnelProbe }) => listener.setProbe(probe),
    noteDamage: (_input: object) =>
      inbox.noteDamage(new AppError('platform.database_damaged', 'A reader found the inbox damaged.')),
    whenIndexed: (_input: object) => inbox.whenIndexed(),
    close: (_input: object) => listener.close(),
  };
}

/** Gathers bursts: the first webhook is told at once, what follows within a tenth of a second together. */
function gatherCommits(
  send: (payload: ListenerWorkerEvents['received']) => void,
): (batch: CommittedBatch) => void {
  let count = 0;
  let newest: { batch: CommittedBatch; at: number }[] = [];
  const notice = coalesce(
    () => {
      send({ count, rows: newest.map(({ batch, at }) => readCommitted(batch, at).row) });
      count = 0;
      newest = [];
    },
    { everyMs: GATHER_MS },
  );
  return (batch) => {
    const { length } = batch.ids;
    count += length;
    for (let at = Math.max(0, length - MAX_TOLD); at < length; at++) newest.push({ batch, at });
    if (newest.length > MAX_TOLD) newest = newest.slice(-MAX_TOLD);
    notice.ask();
  };
}
