/** Parses JSON; undefined: it is none. */
export function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
