import { type ErrorReply, toErrorReply } from '@shared/errors';
import { coalesce } from '../platform/coalesce';
import type { PortChoice } from '../platform/listen-on';
import type { AnswerRule } from './answer-bytes';
import { serveWebhooks, type WebhookServer } from './webhook-server';
import { describeLogRow, type WebhookRow } from './inbox-indexer';
import { openInbox, type CommittedBatch } from './open-inbox';

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
};

/** Calls that the worker answers. */
export type ListenerWorkerMethods = {
  start(input: PortChoice & { rule: AnswerRule }): Promise<{ url: string; port: number }>;
  stop(): Promise<null>;
  setRule(rule: AnswerRule): null;
  markRead(input: { ids: number[] | 'all'; isRead: boolean }): null;
  delete(input: { ids: number[] | 'all' }): number;
  whenIndexed(): Promise<null>;
  close(): Promise<null>;
};

/**
 * Answers the calls of the app in the listener's worker thread.
 *
 * The inbox stays open while the listener is stopped: what it holds can be marked and deleted.
 */
export function serveListenerWorker(
  { file }: ListenerWorkerOptions,
  emit: <E extends keyof ListenerWorkerEvents>(event: E, payload: ListenerWorkerEvents[E]) => void,
): ListenerWorkerMethods {
  const gather = gatherCommits((payload) => emit('received', payload));
  const inbox = openInbox({
    file,
    rule: { respondStatus: 200, delayMs: 0 },
    onCommit: gather,
    onProblem: (problem) => emit('problem', problem === null ? null : toErrorReply(problem)),
  });
  let server: WebhookServer | null = null;
  const stop = async (): Promise<null> => {
    const running = server;
    server = null;
    await running?.close();
    return null;
  };
  return {
    async start({ port, alternatives, rule }) {
      inbox.setRule(rule);
      await stop();
      server = await serveWebhooks({
        port,
        alternatives,
        tls: null,
        rule: inbox.rule,
        onBatch: inbox.accept,
      });
      return { url: `http://127.0.0.1:${server.port}`, port: server.port };
    },
    stop,
    setRule: (rule) => {
      inbox.setRule(rule);
      return null;
    },
    markRead: ({ ids, isRead }) => {
      inbox.markRead(ids, isRead);
      return null;
    },
    delete: ({ ids }) => inbox.deleteWebhooks(ids),
    whenIndexed: async () => {
      await inbox.whenIndexed();
      return null;
    },
    async close() {
      await stop();
      inbox.close();
      return null;
    },
  };
}

/** Gathers bursts: the first webhook is told at once, what follows within a tenth of a second together. */
function gatherCommits(
  send: (payload: ListenerWorkerEvents['received']) => void,
): (batch: CommittedBatch) => void {
  let count = 0;
  let newest: { id: number; at: number; batch: CommittedBatch }[] = [];
  const notice = coalesce(
    () => {
      send({ count, rows: newest.map(({ id, at, batch }) => describe(id, batch, at)) });
      count = 0;
      newest = [];
    },
    { everyMs: GATHER_MS },
  );
  return (batch) => {
    const { ids } = batch;
    count += ids.length;
    for (let at = Math.max(0, ids.length - MAX_TOLD); at < ids.length; at++)
      newest.push({ id: ids[at]!, at, batch });
    if (newest.length > MAX_TOLD) newest = newest.slice(-MAX_TOLD);
    notice.ask();
  };
}

function describe(id: number, batch: CommittedBatch, at: number): WebhookRow {
  const { head, body, receivedAt, respondedStatus, remoteAddress } = batch.webhooks[at]!;
  return describeLogRow({
    id,
    received_at: receivedAt,
    responded_status: respondedStatus,
    head_size: head.length,
    remote_address: remoteAddress,
    raw: Buffer.concat([head, body]),
  }).row;
}
