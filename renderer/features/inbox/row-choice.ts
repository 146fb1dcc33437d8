import type { ChoiceGesture } from '../../ui/row-list';

/** Which rows are chosen beside the one on show. */
export interface RowChoice {
  readonly ids: ReadonlySet<string>;
  /** Every webhook that fits, those that are not loaded, and those that come in, included. */
  readonly isAll: boolean;
  /** Where choosing began: a range goes from here; null: from the row on show. */
  readonly anchor: string | null;
}

export const NO_CHOICE: RowChoice = { ids: new Set(), isAll: false, anchor: null };

/** How many are chosen; one alone is the row on show and no choice. */
export function countChosen({ ids, isAll }: RowChoice, totalCount: number): number {
  return isAll ? totalCount : ids.size;
}

/** Lists those that are chosen as far as they are loaded: of all, also what came in, or was found, since they were chosen. */
export function listChosen({ ids, isAll }: RowChoice, rows: readonly { readonly id: string }[]): string[] {
  return isAll ? rows.map(({ id }) => id) : [...ids];
}

/** Lists what a key is meant for: those that are chosen, else the one on show. Of all, nothing while some are not loaded. */
export function listMeant(
  choice: RowChoice,
  { rows, totalCount }: { readonly rows: readonly { readonly id: string }[]; readonly totalCount: number },
  current: string | null,
): string[] {
  if (choice.isAll && rows.length < totalCount) return [];
  const chosen = listChosen(choice, rows);
  return chosen.length > 0 || current === null ? chosen : [current];
}

/**
 * Takes a gesture of the list: Ctrl+click, Shift+click, Shift+arrows, Ctrl+A, Ctrl+Space, Escape.
 *
 * @param current - the row on show: it is the first that is chosen
 */
export function chooseRows(
  choice: RowChoice,
  gesture: ChoiceGesture,
  rows: readonly { readonly id: string }[],
  current: string | null,
): RowChoice {
  switch (gesture.kind) {
    case 'none':
      return NO_CHOICE;
    case 'all':
      return { ids: new Set(rows.map(({ id }) => id)), isAll: true, anchor: choice.anchor ?? current };
    case 'toggle': {
      const ids = new Set(choice.isAll ? rows.map(({ id }) => id) : choice.ids);
      if (ids.size === 0 && current !== null) ids.add(current);
      if (!ids.delete(gesture.id)) ids.add(gesture.id);
      return { ids, isAll: false, anchor: gesture.id };
    }
    case 'range': {
      const anchor = choice.anchor ?? current ?? gesture.id;
      const places = [anchor, gesture.id].map((one) => rows.findIndex(({ id }) => id === one));
      const [from, to] = [Math.min(...places), Math.max(...places)];
      if (from === -1) return { ids: new Set([gesture.id]), isAll: false, anchor: gesture.id };
      return { ids: new Set(rows.slice(from, to + 1).map(({ id }) => id)), isAll: false, anchor };
    }
  }
}
