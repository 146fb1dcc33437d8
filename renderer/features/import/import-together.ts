import { create } from 'zustand';
import type { GivenTogether } from '../../session/asked-import';
import { call } from '../../transport/client';
import { ClientError, toClientError } from '../../transport/client-error';
import { listCollections, nameOf, suggestName, suggestTarget, type Collections } from './choose-target';
import { describeTarget, NEW_COLLECTION, type GivenImport, type ImportOutcome } from './run-import';

/** One of several that are asked about at once. */
export interface TogetherItem {
  name: string;
  source: GivenImport | null;
  /** What would be made, or was; null: not known yet. */
  outcome: ImportOutcome | null;
  /** Addresses of what is imported into the same collection before it. */
  before: string[];
  isDone: boolean;
  error: ClientError | null;
}

/** What is known of each, in the order in which they were given. */
export const useTogether = create<{ items: readonly TogetherItem[]; isReading: boolean; isDone: boolean }>(
  () => ({ items: [], isReading: false, isDone: false }),
);

function change(at: number, part: Partial<TogetherItem>): void {
  useTogether.setState(({ items }) => ({
    items: items.map((one, place) => (place === at ? { ...one, ...part } : one)),
  }));
}

/** Reads what each would make, one after the other. @returns ends it */
export function previewTogether(given: readonly GivenTogether[]): () => void {
  let isEnded = false;
  const items = given.map(({ source, refused }): TogetherItem => {
    const error = refused?.error ?? null;
    return {
      name: refused?.name ?? nameOf(source!),
      source: source ?? null,
      outcome: null,
      before: [],
      isDone: false,
      error,
    };
  });
  useTogether.setState({ items, isReading: true, isDone: false });
  void (async () => {
    const collections = await listCollections();
    const preview = async (at: number, known: ImportOutcome | null, before: string[] = []): Promise<void> => {
      const { source } = items[at]!;
      if (source === null || isEnded) return;
      const to = { known, beside: findOnly(), collections, before };
      const part = await importOne({ source, ...to, isPreview: true });
      if (!isEnded) change(at, { ...part, before });
    };
    for (const at of items.keys()) await preview(at, null);
    // Where it goes is known only now, and with it what is there already.
    const shown = suggestTarget(null, collections);
    for (const at of listInOrder()) {
      const { outcome } = useTogether.getState().items[at]!;
      if (outcome === null) continue;
      const before = listAddressesBefore(at, outcome, collections);
      if (before.length > 0 || suggestTarget(outcome, collections, findOnly()) !== shown)
        await preview(at, outcome, before);
    }
    if (!isEnded) useTogether.setState({ isReading: false });
  })();
  return () => {
    isEnded = true;
  };
}

/** Gives the one collection among them, whose environments the others may be, whatever became of it; null: there is none, or there are several. */
function findOnly(): ImportOutcome | null {
  const named = useTogether
    .getState()
    .items.flatMap(({ outcome }) =>
      outcome !== null && outcome.name !== null && outcome.requests > 0 ? [outcome] : [],
    );
  return named.length === 1 ? named[0]! : null;
}

/** The order in which they are imported: environments last, they join what was made. */
function listInOrder(): number[] {
  const { items } = useTogether.getState();
  const isLast = (at: number): number => Number(items[at]!.outcome?.requests === 0);
  return [...items.keys()].toSorted((a, b) => isLast(a) - isLast(b));
}

/** Gives the addresses that environments find in their collection of what is imported before them; two tell that they differ. */
function listAddressesBefore(at: number, outcome: ImportOutcome, collections: Collections): string[] {
  if (outcome.requests > 0) return [];
  const beside = findOnly();
  const { items } = useTogether.getState();
  const order = listInOrder();
  const target = suggestTarget(outcome, collections, beside);
  const joined = order.slice(0, order.indexOf(at)).flatMap((one) => {
    const other = items[one]!.outcome;
    if (other === null || suggestTarget(other, collections, beside) !== target) return [];
    // Of those that are made the name is to be the same, too.
    const isSame = target !== NEW_COLLECTION || other === beside || other.requests === 0;
    return isSame ? other.addresses : [];
  });
  return [...new Set(joined)].slice(0, 2);
}

/** Imports what can be, one after the other. What fails says so at its place, and keeps none of the others from it. @returns the first */
export async function runTogether(): Promise<ImportOutcome | null> {
  let first: ImportOutcome | null = null;
  const { items } = useTogether.getState();
  const collection = items.findIndex(({ outcome }) => outcome !== null && outcome === findOnly());
  for (const at of listInOrder()) {
    const { source, outcome, before } = items[at]!;
    if (source === null || outcome === null) continue;
    // To join another collection, and have its address, was not what was said.
    if (outcome.requests === 0 && useTogether.getState().items[collection]?.error) {
      change(at, { error: describeLeft(items[collection]!.name) });
      continue;
    }
    // A collection that one of them makes is there for the next.
    const collections = await listCollections();
    const part = await importOne({
      source,
      known: outcome,
      beside: findOnly(),
      collections,
      before,
      isPreview: false,
    });
    change(at, part.error ? part : { ...part, isDone: true });
    first ??= part.outcome ?? null;
  }
  useTogether.setState({ isDone: true });
  return first;
}

function describeLeft(collection: string): ClientError {
  const message = `It was not imported: ${collection}, whose environment it is, could not be. Import both again.`;
  return new ClientError({ code: 'import.nothing_found', message, details: {}, retryable: true });
}

async function importOne({
  source,
  known,
  beside,
  collections,
  isPreview,
  before,
}: {
  source: GivenImport;
  known: ImportOutcome | null;
  beside: ImportOutcome | null;
  collections: Collections;
  isPreview: boolean;
  before: string[];
}): Promise<Pick<TogetherItem, 'error'> & Partial<TogetherItem>> {
  try {
    const target = describeTarget(suggestTarget(known, collections, beside), suggestName(known, source));
    return { outcome: await call('imports.run', { source, target, isPreview, before }), error: null };
  } catch (error) {
    return { error: toClientError(error) };
  }
}
