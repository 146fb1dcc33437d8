import type { CommittedBatch } from '../listener/open-inbox';
import type { NotTaken } from '../listener/webhook-server';
import type { StatusServer } from '../platform/http/serve-status';
import type { Network } from './network-options';
import { openStatus } from './status-option';

/** Follows what a listener keeps, for whoever watches over it. */
export interface ListenerWatch {
  onCommit(batch: CommittedBatch): void;
  onNotTaken(request: NotTaken): void;
  /** Null: webhooks are kept again. */
  onProblem(problem: Error | null): void;
  open(network: Network): Promise<StatusServer | null>;
  /** Says from now on that it should be given no more. */
  leave(): void;
}

/** Makes what counts and tells; null where nobody asked for a port, and nothing is counted then. */
export async function createListenerWatch(port: number | undefined): Promise<ListenerWatch | null> {
  if (port === undefined) return null;
  const { createListenerFigures } = await import('../listener/listener-figures');
  const { onCommit, onNotTaken, readFigures } = await createListenerFigures();
  let trouble: string | null = null;
  let isLeaving = false;
  return {
    onCommit,
    onNotTaken,
    onProblem: (problem) => void (trouble = problem?.message ?? null),
    open: (network) =>
      openStatus('listener', port, network, {
        findTrouble: () => Promise.resolve(isLeaving ? 'It is being stopped.' : trouble),
        readFigures,
      }),
    leave: () => void (isLeaving = true),
  };
}
