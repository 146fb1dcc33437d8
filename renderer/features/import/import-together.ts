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
    for (const [at, { source }] of items.entries()) {
      if (source === null) continue;
      const part = await importOne(source, null, collections, true);
      if (isEnded) return;
      change(at, part);
    }
    useTogether.setState({ isReading: false });
  })();
  return () => {
    isEnded = true;
  };
}

/** Imports what can be, one after the other; what fails says so at its place, and keeps none of the others from it. @returns the first */
export async function runTogether(): Promise<ImportOutcome | null> {
  let first: ImportOutcome | null = null;
  for (const [at, { source, outcome }] of useTogether.getState().items.entries()) {
    if (source === null || outcome === null) continue;
    // A collection that one of them makes is there for the next.
    const part = await importOne(source, outcome, await listCollections(), false);
    change(at, part.error ? part : { ...part, isDone: true });
    first ??= part.outcome ?? null;
  }
  useTogether.setState({ isDone: true });
  return first;
}

async function importOne(
  source: GivenImport,
  known: ImportOutcome | null,
  collections: Collections,
  isPreview: boolean,
): Promise<Pick<TogetherItem, 'error'> & Partial<TogetherItem>> {
  try {
    const target = describeTarget(suggestTarget(known, collections), suggestName(known, source));
    return { outcome: await call('imports.run', { source, target, isPreview }), error: null };
  } catch (error) {
    return { error: toClientError(error) };
  }
}
