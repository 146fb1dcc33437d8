import { findFirstByte } from '@shared/webhooks/compare-json';
import { readBase64 } from '../../ui/base64-bytes';
import { TextButton } from '../../ui/button';
import { formatExact } from '../../ui/format-time';
import { JsonDifferences } from '../../ui/json-differences';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

/** The webhook on show against another one: JSON by meaning, and whether the bytes are the same. */
export function WebhookCompare({ webhook, other }: { webhook: WebhookDetail; other: WebhookDetail }) {
  const compareWith = useInboxStore((state) => state.compareWith);
  const first = findFirstByte(readBase64(other.bodyBase64), readBase64(webhook.bodyBase64));
  const bytes = first === null ? 'The bytes are the same' : `The bytes differ from byte ${first} on`;
  return (
    <div className={styles.compare}>
      <p>
        {`Against the one of ${formatExact(other.receivedAt)}. ${bytes}. `}
        <TextButton onPress={() => void compareWith(null)}>Compare with none</TextButton>
      </p>
      <JsonDifferences left={other.body} right={webhook.body} />
    </div>
  );
}
