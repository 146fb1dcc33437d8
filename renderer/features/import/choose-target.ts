import type { OpenCollection } from '@shared/contract/collections';
import { chooseWorkedIn } from '../../session/worked-in';
import { call } from '../../transport/client';
import { NEW_COLLECTION, type GivenImport, type ImportOutcome } from './run-import';

export interface Collections {
  list: OpenCollection[];
  /** That is worked in. */
  activeId: string | null;
}

/** Lists the collections that something can be imported into; none where they cannot be read. */
export async function listCollections(): Promise<Collections> {
  try {
    const listed = await call('collections.list');
    return { list: listed.collections, activeId: chooseWorkedIn(listed) };
  } catch {
    return { list: [], activeId: null };
  }
}

/**
 * What has a name is a collection of its own, or the one that has it already; single requests join the one on show.
 *
 * @param beside - the collection that environments without requests were given with: they are its own
 */
export function suggestTarget(
  preview: ImportOutcome | null,
  collections: Collections | null,
  beside: ImportOutcome | null = null,
): string {
  const own = preview?.requests === 0 ? beside : preview;
  if (own === null || own.name === null) return collections?.activeId ?? NEW_COLLECTION;
  return own.collectionId ?? collections?.list.find(({ name }) => name === own.name)?.id ?? NEW_COLLECTION;
}

/** What people call it by. */
export function nameOf(source: GivenImport): string {
  return source.kind === 'path' ? source.path : source.name;
}

/** Names a collection of its own, by what its tool calls it, else by its file. */
export function suggestName(preview: ImportOutcome | null, source: GivenImport | null): string {
  const wanted =
    preview?.name ??
    (source === null
      ? ''
      : nameOf(source)
          .replace(/^.*[\\/]/, '')
          .replace(/\.\w+$/, ''));
  return (
    wanted
      .replace(/[\\/<>:"|?*\p{Cc}]+/gu, ' ')
      .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '')
      .slice(0, 80) || 'Imported'
  );
}
