import { later } from '../../../ui/later';
import { askAbout, useCollectionDialog } from './open-collections';

const dialogs = {
  open: later(async () => (await import('./open-dialog')).OpenDialog),
  make: later(async () => (await import('./make-dialog')).MakeDialog),
  trash: later(async () => (await import('./trash-dialog')).TrashDialog),
};

/** The question about whole collections that is asked now. */
export function CollectionDialogs() {
  const asked = useCollectionDialog((state) => state.asked);
  if (asked === null) return null;
  const AskedDialog = dialogs[asked];
  return <AskedDialog onClose={() => askAbout(null)} />;
}
