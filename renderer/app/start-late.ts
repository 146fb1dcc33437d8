import { afterReconnect } from '../transport/client';

/** Starts what nothing on the first screen waits for. Where it cannot be fetched the back end is gone: then once it is back. */
export function startLate(): void {
  import('./start-followers').then(
    ({ startFollowers }) => startFollowers(),
    () => {
      const stop = afterReconnect(() => {
        stop();
        startLate();
      });
    },
  );
}
