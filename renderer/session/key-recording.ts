/** Who waits for the keys of an action to be pressed; nobody, most of the time. */
let recorder: ((event: KeyboardEvent) => void) | null = null;

/** Gives every key press to `take` in place of what it does, until the returned function is called. */
export function recordKeys(take: (event: KeyboardEvent) => void): () => void {
  recorder = take;
  return () => {
    if (recorder === take) recorder = null;
  };
}

/** Hands a key press to whoever records; false: nobody does. */
export function takeForRecording(event: KeyboardEvent): boolean {
  recorder?.(event);
  return recorder !== null;
}
