import { classOf, createFigures } from '../platform/figures';
import type { CommittedBatch } from './open-inbox';
import type { NotTaken } from './webhook-server';

/** Counts what a listener receives. */
export async function createListenerFigures() {
  const figures = await createFigures();
  const webhooks = figures.count(
    'countersign_listener_webhooks_total',
    'Webhooks kept and answered, by class of status; 0xx was closed without an answer, as a rule asks',
    ['status_class'],
  );
  const bytes = figures.count('countersign_listener_body_bytes_total', 'Bytes of their bodies', []);
  const notTaken = figures.count(
    'countersign_listener_not_taken_total',
    'Requests that are no webhooks and are not kept, by class of status; 0xx was closed without an answer',
    ['status_class'],
  );
  const times = figures.time(
    'countersign_listener_commit_duration_seconds',
    'From the first byte of a webhook until it is on the disk',
    [],
  );
  return {
    onCommit({ webhooks: kept }: Pick<CommittedBatch, 'webhooks'>): void {
      const now = performance.now();
      for (const { respondedStatus, body, startedAtMs } of kept) {
        webhooks.inc({ status_class: classOf(respondedStatus) });
        bytes.inc(body.length);
        times.observe((now - startedAtMs) / 1000);
      }
    },
    onNotTaken({ httpStatus }: Pick<NotTaken, 'httpStatus'>): void {
      notTaken.inc({ status_class: classOf(httpStatus ?? 0) });
    },
    readFigures: figures.readFigures,
  };
}
