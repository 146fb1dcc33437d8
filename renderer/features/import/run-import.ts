import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { create } from 'zustand';
import { endAskedImport, useAskedImport } from '../../session/asked-import';
import { navigate } from '../../session/routes';
import { call } from '../../transport/client';
import { focusLater } from '../../ui/focus-later';
import { toClientError, type ClientError } from '../../transport/client-error';

export type GivenImport = MethodInput<'imports.run'>['source'];
export type ImportOutcome = MethodOutput<'imports.run'>;

/** In place of a collection's id: a new one is made. */
export const NEW_COLLECTION = '';

interface ImportState {
  /** What would be made; null: not known yet. */
  preview: ImportOutcome | null;
  isReading: boolean;
  error: ClientError | null;
  /** What was made; null: nothing yet. */
  done: ImportOutcome | null;
}

const nothing: ImportState = { preview: null, isReading: false, error: null, done: null };

/** What is known of the import that is asked about. */
export const useImport = create<ImportState>(() => nothing);

/** Counts previews: of two that are under way, the later one is shown. */
let round = 0;

/** Writes a target as the call wants it. */
export function describeTarget(collectionId: string, name: string): MethodInput<'imports.run'>['target'] {
  return collectionId === NEW_COLLECTION
    ? { kind: 'new', name: name.trim() || 'Imported' }
    : { kind: 'collection', collectionId };
}

/** Asks what an import would make; its error stands in the store. */
export async function previewImport(source: GivenImport | null, collectionId: string): Promise<void> {
  const mine = ++round;
  if (source === null) return useImport.setState(nothing);
  useImport.setState({ isReading: true, error: null });
  try {
    const target = describeTarget(collectionId, '');
    const preview = await call('imports.run', { source, target, isPreview: true });
    if (mine === round) useImport.setState({ preview, isReading: false });
  } catch (error) {
    if (mine === round) useImport.setState({ ...nothing, error: toClientError(error) });
  }
}

/** Imports, and opens the first request of it. @throws {ClientError} */
export async function runImport(source: GivenImport, collectionId: string, name: string): Promise<void> {
  const done = await call('imports.run', { source, target: describeTarget(collectionId, name) });
  // What is given from now on waits until this is read.
  chooseSource(source);
  useImport.setState({ done });
  showFirst(done);
}

/** Opens the first request of what was imported. */
export function showFirst(done: ImportOutcome | null): void {
  const first = findFirstRequest(done);
  if (done !== null && first !== undefined) navigate('requests', `@${done.collectionId}/${first}`);
}

/** The file of the request that is shown after an import. */
const findFirstRequest = (done: ImportOutcome | null): string | undefined =>
  done?.collectionId ? done.files.find((path) => path.endsWith('.http')) : undefined;

/** Ends the question, and forgets what was known of it; what waits is asked about next. @param done - what was made, if anything */
export function closeImport(done = useImport.getState().done): void {
  const isOnShow = findFirstRequest(done) !== undefined;
  round += 1;
  useImport.setState(nothing);
  endAskedImport();
  // What opened the dialog may be gone, as after a drop: the keyboard goes on in what is on show now.
  if (isOnShow) focusLater('[data-edit="request"] [aria-label="Address"]');
}

/** The source as it was asked with; another one is chosen in the dialog. */
export function chooseSource(source: GivenImport): void {
  useAskedImport.setState(({ asked }) => ({ asked: { ...asked, source } }));
}
