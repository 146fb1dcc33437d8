import { watchConnection } from './client';
import type { ClientError } from './client-error';

interface FaultStore {
  getState(): { readonly error: ClientError | null };
  setState(change: { error: null }): void;
}

/** Drops of a store the error that nothing answers, once it does again: it is no more so. @returns ends it */
export function dropUnreachable(store: FaultStore): () => void {
  return watchConnection((connection) => {
    const isOver = connection === 'online' && store.getState().error?.code === 'app.unreachable';
    if (isOver) store.setState({ error: null });
  });
}
