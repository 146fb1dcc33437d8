import type { WebhookSummary } from '@shared/contract/inbox';

/** So many rows further down are kept; beyond it those that were asked for last. */
const MOST_FAR = 2000;

/** Rows from the newest down to where the next page begins, without a gap, newest first. */
export interface LoadedRows {
  rows: WebhookSummary[];
  /** Id before which the next page begins; null: there is none. */
  nextBefore: string | null;
}

/** Rows further down, without a gap among them; between the first rows and these some are not loaded. */
export interface FarRows {
  readonly items: readonly WebhookSummary[];
  /** How many rows follow them: what comes in above changes nothing of it. */
  readonly below: number;
}

/** What is loaded of a list. */
export interface LoadedParts extends LoadedRows {
  far: FarRows | null;
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

/** Takes a page from further down, beside what is loaded: parts that meet become one. */
export function takeFarPage(
  loaded: LoadedParts,
  { webhooks, below }: Pick<RowPage, 'webhooks'> & { below?: number | null | undefined },
): LoadedParts {
  const { far } = loaded;
  if (typeof below !== 'number') return { ...loaded, far: null };
  if (webhooks.length === 0) return loaded;
  const fresh: FarRows = { items: webhooks, below };
  return joinParts({ ...loaded, far: far === null ? fresh : joinFar(far, fresh) });
}

/** Takes what follows the first of the rows further down, read anew: what is beyond it is read when it comes into view. */
export function takeFarAgain(
  loaded: LoadedParts & { filter: string; selectedId: string | null },
  firstId: string,
  { webhooks, below }: Pick<RowPage, 'webhooks'> & { below?: number | null | undefined },
): LoadedParts {
  const { rows, nextBefore, far, filter, selectedId } = loaded;
  const first = far?.items[0];
  // It may have been deleted meanwhile, or the list be at another place.
  if (far === null || first?.id !== firstId) return loaded;
  if (typeof below !== 'number') return { rows, nextBefore, far: null };
  const items = [...keepWanted([first], filter, selectedId), ...webhooks];
  return joinParts({ rows, nextBefore, far: items.length === 0 ? null : { items, below } });
}

/** Puts the first rows and those further down together where they meet. */
export function joinParts(loaded: LoadedParts): LoadedParts {
  const { rows, nextBefore, far } = loaded;
  const top = far?.items[0];
  if (far === null || top === undefined) return { rows, nextBefore, far: null };
  // The first rows reach to the end: what is not among them is there no more.
  if (nextBefore === null) return { rows, nextBefore, far: null };
  const last = rows.at(-1);
  if (last === undefined || last.id > top.id) return { rows, nextBefore, far };
  const lowest = far.items.at(-1)!;
  const farNext = far.below === 0 ? null : lowest.id;
  return {
    rows: placeRows(rows, far.items),
    nextBefore: lowest.id <= last.id ? farNext : nextBefore,
    far: null,
  };
}

function joinFar(before: FarRows, fresh: FarRows): FarRows {
  const [upper, lower] = before.items[0]!.id > fresh.items[0]!.id ? [before, fresh] : [fresh, before];
  const doMeet = upper.items.at(-1)!.id <= lower.items[0]!.id;
  const isBounded = before.items.length + fresh.items.length <= MOST_FAR;
  if (!doMeet || !isBounded) return fresh;
  const lowest = upper.items.at(-1)!.id < lower.items.at(-1)!.id ? upper : lower;
  return { items: placeRows(before.items, fresh.items), below: lowest.below };
}

/** How many rows the list has, as far as anybody knows. */
export function countRows({
  rows,
  nextBefore,
  far,
  totalCount,
  isTotalCut,
}: LoadedParts & { totalCount: number; isTotalCut: boolean }): number {
  if (nextBefore === null || isTotalCut) return rows.length;
  return Math.max(totalCount, rows.length + (far === null ? 0 : far.items.length + far.below));
}

/** Changes what is loaded, both parts alike. */
export function mapParts(
  { rows, far }: Pick<LoadedParts, 'rows' | 'far'>,
  change: (rows: readonly WebhookSummary[]) => WebhookSummary[],
): Pick<LoadedParts, 'rows' | 'far'> {
  if (far === null) return { rows: change(rows), far };
  const items = change(far.items);
  return { rows: change(rows), far: items.length === 0 ? null : { ...far, items } };
}

/** All rows that are there, whichever part they stand in. */
export function listLoaded({ rows, far }: Pick<LoadedParts, 'rows' | 'far'>): readonly WebhookSummary[] {
  return far === null ? rows : [...rows, ...far.items];
}

/** The row of an id, in whichever part it stands. */
export function findLoaded(
  { rows, far }: Pick<LoadedParts, 'rows' | 'far'>,
  id: string | null,
): WebhookSummary | null {
  return findRow(rows, id) ?? (far === null ? null : findRow(far.items, id));
}
