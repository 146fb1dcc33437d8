import type { WebhookSummary } from '@shared/contract/inbox';

/** Rows from the newest down to where the next page begins, without a gap, newest first. */
export interface LoadedRows {
  rows: WebhookSummary[];
  /** Id before which the next page begins; null: there is none. */
  nextBefore: string | null;
}

/** One answer of the list, from the top or from a cursor. */
export interface RowPage {
  webhooks: WebhookSummary[];
  nextBefore: string | null;
}

/**
 * Puts rows where their ids say, newest first; one that stands already takes the newer content.
 *
 * Only the rows between the newest and the oldest of `more` are looked at: of a hundred thousand, a page.
 */
export function placeRows(
  rows: readonly WebhookSummary[],
  more: readonly WebhookSummary[],
): WebhookSummary[] {
  if (more.length === 0) return [...rows];
  const ids = more.map(({ id }) => id).sort();
  const from = countAbove(rows, ids.at(-1)!);
  const upTo = countAbove(rows, ids[0]!, from);
  const between = rows.slice(from, rows[upTo]?.id === ids[0] ? upTo + 1 : upTo);
  const byId = new Map([...between, ...more].map((row) => [row.id, row]));
  const placed = [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  return rows.slice(0, from).concat(placed, rows.slice(from + between.length));
}

/** How many rows, newest first, are newer than an id. */
function countAbove(rows: readonly { id: string }[], id: string, from = 0): number {
  let [low, high] = [from, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.id > id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row of an id, if it is there. */
export function findRow(rows: readonly WebhookSummary[], id: string | null): WebhookSummary | null {
  const row = id === null ? undefined : rows[countAbove(rows, id)];
  return row?.id === id ? row : null;
}

/** Changes the rows named, as far as they are there. */
export function changeRows(
  rows: readonly WebhookSummary[],
  ids: Iterable<string>,
  change: (row: WebhookSummary) => WebhookSummary,
): WebhookSummary[] {
  const changed = [...rows];
  for (const id of ids) {
    const at = countAbove(rows, id);
    if (rows[at]?.id === id) changed[at] = change(rows[at]);
  }
  return changed;
}

/** Leaves out what the filter no longer has, but for the row that is being read. */
export function keepWanted(
  rows: readonly WebhookSummary[],
  filter: string,
  selectedId: string | null,
): WebhookSummary[] {
  return filter === 'unread' ? rows.filter((row) => !row.isRead || row.id === selectedId) : [...rows];
}

/**
 * Takes a page that was read from the top: it says what stands in the range that it covers.
 *
 * Rows below it stay where they follow on; where so much has come in that they do not, they go, and are read again when
 * they come into view.
 */
export function takeTopPage(
  loaded: LoadedRows & { filter: string; selectedId: string | null },
  page: RowPage,
): LoadedRows {
  const { filter, selectedId } = loaded;
  const isCovered = (row: WebhookSummary): boolean => page.nextBefore === null || row.id >= page.nextBefore;
  const isRead = (row: WebhookSummary): boolean => filter === 'unread' && row.id === selectedId && row.isRead;
  const top = placeRows(
    loaded.rows.filter((row) => isCovered(row) && isRead(row)),
    page.webhooks,
  );
  const below = loaded.rows.filter((row) => !isCovered(row));
  const doesMeet = loaded.rows.length > below.length;
  return doesMeet && below.length > 0
    ? { rows: [...top, ...keepWanted(below, filter, selectedId)], nextBefore: loaded.nextBefore }
    : { rows: top, nextBefore: page.nextBefore };
}

/** Takes the page that follows the rows; what came in above meanwhile stays. */
export function takeNextPage(loaded: LoadedRows, page: RowPage): LoadedRows {
  return { rows: placeRows(loaded.rows, page.webhooks), nextBefore: page.nextBefore };
}
