import { create } from 'zustand';
import type { GivenTogether } from '../../session/asked-import';
import { call } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { listCollections, nameOf, suggestName, suggestTarget, type Collections } from './choose-target';
import { describeTarget, type GivenImport, type ImportOutcome } from './run-import';

/** One of several that are asked about at once. */
export interface TogetherItem {
  name: string;
  source: GivenImport | null;
  /** What would be made, or was; null: not known yet. */
  outcome: ImportOutcome | null;
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
      isDone: false,
      error,
    };
  });
  useTogether.setState({ items, isReading: true, isDone: false });
  void (async () => {
    const collections = await listCollections();
    const preview = async (at: number, known: ImportOutcome | null): Promise<void> => {
      const { source } = items[at]!;
      if (source === null || isEnded) return;
      const part = await importOne({ source, known, beside: findOnly(), collections, isPreview: true });
      if (!isEnded) change(at, part);
    };
    for (const at of items.keys()) await preview(at, null);
    // Where it goes is known only now, and with it what is there already.
    const shown = suggestTarget(null, collections);
    for (const [at, { outcome }] of useTogether.getState().items.entries())
      if (outcome !== null && suggestTarget(outcome, collections, findOnly()) !== shown)
        await preview(at, outcome);
    if (!isEnded) useTogether.setState({ isReading: false });
  })();
  return () => {
    isEnded = true;
  };
}

/** Gives the one collection among them, whose environments the others may be; null: there is none, or there are several. */
function findOnly(): ImportOutcome | null {
  const named = useTogether
    .getState()
    .items.flatMap(({ outcome, error }) =>
      outcome !== null && error === null && outcome.name !== null && outcome.requests > 0 ? [outcome] : [],
    );
  return named.length === 1 ? named[0]! : null;
}

/** Imports what can be, one after the other, environments last: they join what was made. What fails says so at its place, and keeps none of the others from it. @returns the first */
export async function runTogether(): Promise<ImportOutcome | null> {
  let first: ImportOutcome | null = null;
  const entries = [...useTogether.getState().items.entries()];
  const isLast = ([, { outcome }]: (typeof entries)[number]): boolean => outcome?.requests === 0;
  for (const [at, { source, outcome }] of entries.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    if (source === null || outcome === null) continue;
    // A collection that one of them makes is there for the next.
    const collections = await listCollections();
    const part = await importOne({
      source,
      known: outcome,
      beside: findOnly(),
      collections,
      isPreview: false,
    });
    change(at, part.error ? part : { ...part, isDone: true });
    first ??= part.outcome ?? null;
  }
  useTogether.setState({ isDone: true });
  return first;
}

async function importOne({
  source,
  known,
  beside,
  collections,
  isPreview,
}: {
  source: GivenImport;
  known: ImportOutcome | null;
  beside: ImportOutcome | null;
  collections: Collections;
  isPreview: boolean;
}): Promise<Pick<TogetherItem, 'error'> & Partial<TogetherItem>> {
  try {
    const target = describeTarget(suggestTarget(known, collections, beside), suggestName(known, source));
    return { outcome: await call('imports.run', { source, target, isPreview }), error: null };
  } catch (error) {
    return { error: toClientError(error) };
  }
}
