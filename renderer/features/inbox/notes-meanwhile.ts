export interface Notes {
  readonly note: string;
  readonly tags: string;
}

/** What is typed over notes, with what stood in each place when the typing began there. */
export interface TypedNotes extends Partial<Notes> {
  readonly seen?: Partial<Notes>;
}

/** Takes what was typed in one place. */
export const typeNote = (
  typed: TypedNotes | null,
  saved: Notes,
  what: keyof Notes,
  now: string,
): TypedNotes => ({ ...typed, [what]: now, seen: { [what]: saved[what], ...typed?.seen } });

/** Lists what was typed over and became another since, as it is now. */
export function listMeanwhile(typed: TypedNotes | null, saved: Notes): (readonly [keyof Notes, string])[] {
  return (['tags', 'note'] as const)
    .filter((what) => {
      const seen = typed?.seen?.[what];
      return seen !== undefined && saved[what] !== seen && saved[what] !== typed?.[what];
    })
    .map((what) => [what, saved[what]] as const);
}
