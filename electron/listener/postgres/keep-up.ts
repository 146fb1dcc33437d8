const EVERY_MS = 3_600_000;
/** After a failure: whoever watches over the listener sends it no webhook that would show that the store is back. */
const AGAIN_MS = 5000;

/**
 * Sees to a store from time to time; where that fails it is tried again soon.
 *
 * @param tell - told of a failure, and of each success
 */
export function keepUp(
  run: () => Promise<void>,
  tell: { trouble(error: unknown): void; answer(): void },
): { stop(): void } {
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const failure = await run().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (isStopped) return;
    if (failure === null) tell.answer();
    else tell.trouble(failure.error);
    arm(failure === null ? EVERY_MS : AGAIN_MS);
  };
  const arm = (ms: number): void => {
    timer = setTimeout(() => void look(), ms).unref();
  };
  arm(EVERY_MS);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
