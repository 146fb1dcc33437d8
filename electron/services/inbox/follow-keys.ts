import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import type { InboxDeps } from './inbox-deps';

/** Tells the worker what signatures are verified with, as soon as it is known. */
export function followKeys(
  { events, readWebhookKeys }: Pick<InboxDeps, 'events' | 'readWebhookKeys'>,
  worker: Pick<SupervisedWorker<ListenerWorkerMethods>, 'call'>,
): { refresh(): void; stop(): void } {
  let isAsking = false;
  let isAskedAgain = false;
  let isKnown = false;
  const tell = async (): Promise<void> => {
    const keys = await readWebhookKeys();
    await worker.call('setKeys', { keys });
    isKnown = keys.length > 0;
  };
  const refresh = (): void => {
    isAskedAgain = isAsking;
    if (isAsking) return;
    isAsking = true;
    tell()
      // The sandbox does not run yet; it tells when it does, perhaps before that is heard of here.
      .catch(() => undefined)
      .finally(() => {
        isAsking = false;
        if (isAskedAgain) refresh();
      });
  };
  const stop = events.subscribe('sandbox.changed', () => {
    if (!isKnown) refresh();
  });
  return { refresh, stop };
}
