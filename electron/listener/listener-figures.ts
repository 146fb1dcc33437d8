import { classOf, createFigures } from '../platform/figures';
import type { CommittedBatch } from './open-inbox';

/** Counts what a listener receives. */
export async function createListenerFigures() {
  const figures = await createFigures();
  const webhooks = figures.count(
    'countersign_listener_webhooks_total',
    'Webhooks kept and answered, by class of status; 0xx was closed without an answer, as a rule asks',
    ['status_class'],
  );
  const bytes = figures.count('countersign_listener_body_bytes_total', 'Bytes of their bodies', []);
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
    readFigures: figures.readFigures,
  };
}
