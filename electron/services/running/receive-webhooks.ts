import { webhookColumns } from '@shared/contract/webhook-columns';
import { readJsonTree } from '@shared/json/json-tree';
import { decodeBody, readWebhook } from '../../listener/read-webhook';
import {
  serveWebhooks,
  USUAL_BODY_BYTES,
  type ChosenAnswer,
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

function toArrived(webhook: PendingWebhook, id: string): ArrivedWebhook {
  const reading = readWebhook(webhook);
  const body = decodeBody(webhook.body);
  return {
    id,
    receivedAt: webhook.receivedAt,
    headers: reading.headers,
    body,
    tree: readJsonTree(body),
    reference: webhookColumns.client_reference.read(reading),
    paymentUuid: webhookColumns.payment_uuid.read(reading),
  };
}

/**
 * Opens an address for the webhooks of a run that keeps nothing.
 *
 * @param port - on 127.0.0.1; 0: any
 * @throws {AppError} `listener.port_in_use`, `listener.port_refused`
 */
export async function receiveWebhooks(hub: WebhookHub, port: number): Promise<RunReceiver> {
  let count = 0;
  const server = await serveWebhooks({
    port,
    alternatives: 0,
    tls: null,
    maxBodyBytes: USUAL_BODY_BYTES,
    secretPath: null,
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
