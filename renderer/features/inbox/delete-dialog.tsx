import { ConfirmDialog } from '../../ui/dialog';
import { useInboxStore } from './inbox-store';

/** Asks before a webhook is gone for good. */
export function DeleteDialog({ webhook, onClose }: { webhook: { id: string }; onClose: () => void }) {
  const remove = useInboxStore((state) => state.remove);
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      isOpen
      onClose={onClose}
      onConfirm={() => remove([webhook.id])}
      confirmLabel="Delete"
    >
      It is removed from this machine for good. The service does not send it again once it was answered 2xx.
    </ConfirmDialog>
  );
}
