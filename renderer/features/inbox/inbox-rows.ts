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

/** Puts rows where their ids say, newest first; one that stands already takes the newer content. */
export function placeRows(
  rows: readonly WebhookSummary[],
  more: readonly WebhookSummary[],
): WebhookSummary[] {
  const byId = new Map([...rows, ...more].map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Leaves out what the filter no longer has, but for the row that is being read. */
export function keepWanted(
  rows: readonly WebhookSummary[],
  filter: string,
  selectedId: string | null,
): WebhookSummary[] {
  return rows.filter((row) => filter !== 'unread' || !row.isRead || row.id === selectedId);
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
