import { watchConnection } from './client';
import { isPassing, type ClientError } from './client-error';

interface FaultStore {
  getState(): { readonly error: ClientError | null };
  setState(change: { error: null }): void;
}

/** Drops of a store the error that nothing answers, or that the data folder is away, once it is no more so. @returns ends it */
export function dropUnreachable(store: FaultStore): () => void {
  return watchConnection((connection) => {
    const isOver = connection === 'online' && isPassing(store.getState().error);
    if (isOver) store.setState({ error: null });
  });
}
