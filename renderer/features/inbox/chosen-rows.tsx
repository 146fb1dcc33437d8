import { DeleteDialog } from './delete-dialog';
import { ExportWebhooksDialog } from './export-webhooks-dialog';
import { listLoaded } from './inbox-rows';
import { useInboxStore } from './inbox-store';
import { ReplayDialog } from './replay-dialog';
import { countChosen, listChosen } from './row-choice';

/** What is asked about several rows; those that come in while the question stands are not among them. */
export interface Asked {
  readonly what: 'export' | 'replay' | 'delete';
  readonly ids: readonly string[];
  /** What is not loaded is exported, too. */
  readonly isAll: boolean;
}

/** The rows that are chosen: how many, and those that are loaded. What is not is exported by its filter, and touched by nothing else. */
export function useChosen() {
  const choice = useInboxStore((state) => state.choice);
  const totalCount = useInboxStore((state) => state.totalCount);
  const rows = useInboxStore((state) => state.rows);
  const far = useInboxStore((state) => state.far);
  const ids = listChosen(choice, listLoaded({ rows, far }));
  return {
    ids,
    isAll: choice.isAll,
    count: countChosen(choice, totalCount),
    isLoaded: !choice.isAll || totalCount === ids.length,
  };
}

/** The question about several rows. */
export function AskedDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { what, ids, isAll } = asked;
  const allCount = useInboxStore((state) => state.totalCount);
  // The body of the one on show may be changed before it is sent.
  const shown = useInboxStore(({ detail }) => (ids.length === 1 && detail?.id === ids[0] ? detail : null));
  if (what === 'delete') return <DeleteDialog ids={ids} onClose={onClose} />;
  if (what === 'replay') return <ReplayDialog webhooks={shown ?? ids} onClose={onClose} />;
  return (
    <ExportWebhooksDialog ids={isAll ? 'all' : ids} count={isAll ? allCount : ids.length} onClose={onClose} />
  );
}
