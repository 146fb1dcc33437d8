/** Where a list is that the back end is asked for. */
export type ListPhase = 'idle' | 'loading' | 'ready' | 'failed';

/**
 * The phase of a list that is asked for again: what was read stays until the answer is there, and so does the word that nothing
 * was found. Grey lines in its place would take its button away under a press.
 */
export function phaseWhileAsked({ phase, rows }: { phase: ListPhase; rows: readonly unknown[] }): ListPhase {
  return phase === 'ready' || rows.length > 0 ? 'ready' : 'loading';
}
