import { MakeDialog } from './make-dialog';
import { askAbout, useCollectionDialog } from './open-collections';
import { OpenDialog } from './open-dialog';
import { TrashDialog } from './trash-dialog';

const dialogs = { open: OpenDialog, make: MakeDialog, trash: TrashDialog };

/** The question about whole collections that is asked now. */
export function CollectionDialogs() {
  const asked = useCollectionDialog((state) => state.asked);
  if (asked === null) return null;
  const AskedDialog = dialogs[asked];
  return <AskedDialog onClose={() => askAbout(null)} />;
}
