const SHORTEST_PAUSE_MS = 100;

/**
 * Gathers notices of changes, so that a listener hears at most ten a second and always the last one.
 *
 * @param listener - gets the reason of the latest change
 */
export function createChangeNotice(listener: ((reason: string) => void) | undefined): {
  tell(reason: string): void;
  close(): void;
} {
  let timer: NodeJS.Timeout | null = null;
  let latest = '';
  return {
    tell(reason) {
      if (listener === undefined) return;
      latest = reason;
      if (timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        listener(latest);
      }, SHORTEST_PAUSE_MS);
      timer.unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
