import { readJudged, type JudgedBody } from '@shared/expect/read-judged';
import { maskHeaders } from '@shared/mask-secrets';
import { decodeBody, readOwner, readWebhookHead } from '../../listener/read-webhook';
import {
  serveWebhooks,
  USUAL_BODY_BYTES,
  type ChosenAnswer,
  type NotTaken,
  type PendingWebhook,
} from '../../listener/webhook-server';
import type { ArrivedWebhook, WebhookHub } from './webhook-hub';

/** Receives the webhooks of one run. */
export interface RunReceiver {
  readonly url: string;
  close(): Promise<void>;
}

const taken: ChosenAnswer = {
  respondStatus: 200,
  delayMs: 0,
  rule: null,
  headers: [],
  body: '',
  isDropped: false,
};

/** Of a body that was not taken, the beginning alone is there. */
function readBody({ fullBytes }: PendingWebhook, body: string): JudgedBody {
  if (fullBytes === null) return readJudged(body);
  const limit = `${USUAL_BODY_BYTES / 1024 / 1024} MiB`;
  return { tree: null, whyUnread: `too long to be judged (it was not taken: the limit is ${limit})` };
}

function toArrived(webhook: PendingWebhook, id: string): ArrivedWebhook {
  const body = decodeBody(webhook.body);
  const { tree, whyUnread } = readBody(webhook, body);
  return {
    id,
    receivedAt: webhook.receivedAt,
    headers: maskHeaders(readWebhookHead(webhook.head).headers),
    body,
    tree,
    whyUnread,
    ...readOwner(tree),
  };
}

/**
 * Opens an address for the webhooks of a run that keeps nothing.
 *
 * @param port - on 127.0.0.1; 0: any
 * @param onNotTaken - told of what it was sent and is no webhook
 * @throws {AppError} `listener.port_in_use`, `listener.port_refused`
 */
export async function receiveWebhooks(
  hub: WebhookHub,
  port: number,
  onNotTaken: (request: NotTaken) => void,
): Promise<RunReceiver> {
  let count = 0;
  const server = await serveWebhooks({
    port,
    alternatives: 0,
    tls: null,
    maxBodyBytes: USUAL_BODY_BYTES,
    secretPath: null,
    onNotTaken,
    answerFor: () => taken,
    onBatch: (batch) => {
      for (const webhook of batch) {
        hub.receive(toArrived(webhook, String(++count)));
        webhook.keep();
      }
    },
  });
  return { url: `http://127.0.0.1:${server.port}/hooks/payments`, close: () => server.close() };
}
