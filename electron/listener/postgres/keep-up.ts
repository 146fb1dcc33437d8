const EVERY_MS = 3_600_000;
/** After a failure: whoever watches over the listener sends it no webhook that would show that the store is back. */
const PING_MS = 5000;
/** One that answers and still failed is busy, or refuses: each try holds up what comes, for seconds. */
const AGAIN_MS = 300_000;

/** What is asked of a store; each rejects where that fails. */
export interface Upkeep {
  run(): Promise<void>;
  /** Resolves where the store answers. */
  ping(): Promise<void>;
}

/**
 * Sees to a store from time to time; where that fails it is asked soon whether it answers, and seen to again a while later.
 *
 * @param tell - told of a failure, and of each success
 */
export function keepUp(
  { run, ping }: Upkeep,
  tell: { trouble(error: unknown): void; answer(): void },
): { stop(): void } {
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const arm = (work: () => Promise<void>, ms: number): void => {
    if (!isStopped) timer = setTimeout(() => void work(), ms).unref();
  };
  const look = async (): Promise<void> => {
    const failure = await run().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (isStopped) return;
    if (failure === null) tell.answer();
    else tell.trouble(failure.error);
    arm(failure === null ? look : waitForAnswer, failure === null ? EVERY_MS : PING_MS);
  };
  const waitForAnswer = async (): Promise<void> => {
    const isBack = await ping().then(
      () => true,
      () => false,
    );
    if (isBack && !isStopped) tell.answer();
    arm(isBack ? look : waitForAnswer, isBack ? AGAIN_MS : PING_MS);
  };
  arm(look, EVERY_MS);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
