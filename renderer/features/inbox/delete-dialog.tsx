import { ConfirmDialog } from '../../ui/form-dialog';
import { useInboxStore } from './inbox-store';

/** Asks before webhooks are gone for good. */
export function DeleteDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const remove = useInboxStore((state) => state.remove);
  const isOne = ids.length === 1;
  return (
    <ConfirmDialog
      title={isOne ? 'Delete this webhook?' : `Delete these ${ids.length.toLocaleString('en')} webhooks?`}
      onClose={onClose}
      onConfirm={() => remove([...ids])}
      confirmLabel="Delete"
    >
      {isOne
        ? 'It is removed from this machine for good. The service does not send it again once it was answered 2xx.'
        : 'They are removed from this machine for good. The service sends none again that was answered 2xx.'}
    </ConfirmDialog>
  );
}
