import { join } from 'node:path';
import type { HeaderList } from '@shared/contract/common';
import type { AppError } from '@shared/errors';
import { formatSortableId } from '../platform/sortable-id';
import type { AnswerRule } from './answer-bytes';
import { serveWebhooks, type PendingWebhook } from './webhook-server';
import { openInbox } from './open-inbox';
import { readWebhookHead } from './read-webhook';

export type { AnswerRule } from './answer-bytes';

/** A webhook that is durable. */
export interface KeptWebhook {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly respondedStatus: number;
}

export interface ListenerOptions {
  /** Folder of `inbox.db`; or the file itself, or `:memory:`, as `databaseFile`. */
  dataDirectory?: string;
  databaseFile?: string;
  /** 0: any free port. */
  port: number;
  rule: AnswerRule;
  /** Serves HTTPS with a certificate of its own, made once and kept in the data directory. */
  https?: boolean;
  /** Told of each webhook once it is durable. */
  onWebhook?: (webhook: KeptWebhook) => void;
  /** Webhooks could not be stored and were answered 503; null: they can be stored again. */
  onProblem?: (problem: AppError | null) => void;
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  readonly rule: AnswerRule;
  setRule(rule: AnswerRule): void;
  /** Resolves when everything that is durable is in the catalogue and in the search index. */
  whenIndexed(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the inbox and listens for webhooks on the loopback interface.
 *
 * A webhook is answered only after its transaction is on disk; all that arrive in one turn of the event loop
 * share one transaction. What cannot be stored is answered 503, so that the sender tries again.
 * @throws {AppError} `listener.port_in_use`, `listener.port_refused`, `platform.*` where the file cannot be used
 */
export async function createListener(options: ListenerOptions): Promise<Listener> {
  const { onWebhook, onProblem } = options;
  const inbox = openInbox({
    file: options.databaseFile ?? join(options.dataDirectory ?? '.', 'inbox.db'),
    rule: options.rule,
    onProblem,
    onCommit: onWebhook && (({ ids, webhooks }) => tell(onWebhook, ids, webhooks)),
  });
  try {
    const tls = options.https === true ? await readCertificate(options.dataDirectory) : null;
    const server = await serveWebhooks({
      port: options.port,
      alternatives: 0,
      tls,
      rule: inbox.rule,
      onBatch: inbox.accept,
    });
    return {
      url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${server.port}`,
      port: server.port,
      get rule() {
        return inbox.rule();
      },
      setRule: inbox.setRule,
      whenIndexed: inbox.whenIndexed,
      close: async () => {
        await server.close();
        inbox.close();
      },
    };
  } catch (error) {
    inbox.close();
    throw error;
  }
}

function tell(
  onWebhook: (webhook: KeptWebhook) => void,
  ids: readonly number[],
  webhooks: readonly PendingWebhook[],
): void {
  for (let at = 0; at < webhooks.length; at++) {
    const { head, body, receivedAt, respondedStatus } = webhooks[at]!;
    onWebhook({
      id: formatSortableId(ids[at]!),
      receivedAt,
      ...readWebhookHead(head),
      body,
      respondedStatus,
    });
  }
}

async function readCertificate(dataDirectory: string | undefined): Promise<{ key: string; cert: string }> {
  const { readOrMakeCertificate } = await import('./self-signed');
  return readOrMakeCertificate(dataDirectory ?? null);
}
