import { useState } from 'react';
import type { ShownError } from './error-line';

/** Runs what may fail; why it did stands there until the next try, or until it is cleared. */
export function useAttempt() {
  const [error, setError] = useState<ShownError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await act();
    } catch (caught) {
      setError(caught as ShownError);
    }
    setBusy(false);
  };
  return { error, isBusy, run, clear: () => setError(null) };
}
