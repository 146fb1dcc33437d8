import type { Environment } from '@shared/contract/environments';
import { replaceRoute } from '../../session/routes';
import { ConfirmDialog } from '../../ui/form-dialog';
import { useEnvironmentsStore } from './environments-store';

/** Asks before an environment of the data directory is deleted. */
export function DeleteDialog({
  environment: { id, label },
  onClose,
}: {
  environment: Environment;
  onClose: () => void;
}) {
  const remove = useEnvironmentsStore((state) => state.remove);
  return (
    <ConfirmDialog
      title={`Delete the environment “${label}”?`}
      onClose={onClose}
      onConfirm={async () => {
        await remove(id);
        replaceRoute('environments');
      }}
      confirmLabel="Delete"
    >
      Requests can no longer be sent there. Its secret variables, proxy password and client key are deleted,
      too; its key and credentials stay in the vault until you delete them.
    </ConfirmDialog>
  );
}
