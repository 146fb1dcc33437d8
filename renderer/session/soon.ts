/** Does something a moment after it was asked for; asked for more often until then, once. */
export function soon(work: () => unknown, delayMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      void work();
    }, delayMs);
  };
}
