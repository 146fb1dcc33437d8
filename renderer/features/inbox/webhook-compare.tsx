import { useBodyComparison, type ComparedBody } from '../../ui/body-comparison/use-body-comparison';
import { readBase64 } from '../../session/base64-bytes';
import { TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { formatExact } from '../../ui/format-time';
import { JsonDifferences } from '../../ui/json-differences';
import { Skeleton } from '../../ui/spinner';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

/** The webhook on show against another one: JSON by meaning, and whether the bytes are the same. */
export function WebhookCompare({ webhook, other }: { webhook: WebhookDetail; other: WebhookDetail }) {
  const compareWith = useInboxStore((state) => state.compareWith);
  const readWhole = useInboxStore((state) => state.readWhole);
  const bodyOf = (one: WebhookDetail): ComparedBody => ({
    key: one.id,
    read: async () => readBase64((await readWhole(one)).bodyBase64),
  });
  const { comparison, error } = useBodyComparison(bodyOf(other), bodyOf(webhook));
  return (
    <div className={styles.compare}>
      <p>
        {`Against the one of ${formatExact(other.receivedAt)}. ${comparison === null ? '' : `${comparison.bytes}. `}`}
        <TextButton onPress={() => void compareWith(null)}>Compare with none</TextButton>
      </p>
      {error ? <ErrorLine error={error} /> : null}
      {comparison ? <JsonDifferences comparison={comparison} /> : error ? null : <Skeleton lines={2} />}
    </div>
  );
}
