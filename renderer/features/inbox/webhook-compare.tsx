import { readJsonTree } from '@shared/json/json-tree';
import { compareJson, type JsonDifferenceKind } from '@shared/webhooks/compare-json';
import { useMemo } from 'react';
import { TextButton } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { formatExact } from '../../ui/format-time';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

const names: Readonly<Record<JsonDifferenceKind, string>> = {
  changed: 'changed',
  written: 'same value, written otherwise',
  added: 'only here',
  removed: 'only there',
  moved: 'other order',
};

/** The webhook on show against another one: JSON by meaning, and whether the bytes are the same. */
export function WebhookCompare({ webhook, other }: { webhook: WebhookDetail; other: WebhookDetail }) {
  const compareWith = useInboxStore((state) => state.compareWith);
  const differences = useMemo(() => compareBodies(other.body, webhook.body), [other.body, webhook.body]);
  const areSameBytes = other.bodyBase64 === webhook.bodyBase64;
  const bytes = areSameBytes ? 'The bytes are the same' : findFirstByte(other.bodyBase64, webhook.bodyBase64);
  return (
    <div className={styles.compare}>
      <p>
        {`Against the one of ${formatExact(other.receivedAt)}. ${bytes}. `}
        <TextButton onPress={() => void compareWith(null)}>Compare with none</TextButton>
      </p>
      {differences === null ? (
        <EmptyState title="One of them is not JSON">Their bytes are compared alone.</EmptyState>
      ) : differences.length === 0 ? (
        <EmptyState title="They mean the same" />
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">What</th>
              <th scope="col">There</th>
              <th scope="col">Here</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ pointer, kind, left, right }) => (
              <tr key={`${kind} ${pointer}`}>
                <td>{pointer === '' ? 'the whole' : pointer}</td>
                <td>{names[kind]}</td>
                <td>{left ?? '–'}</td>
                <td>{right ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function compareBodies(before: string, after: string): ReturnType<typeof compareJson> | null {
  const [left, right] = [readJsonTree(before), readJsonTree(after)];
  return left === null || right === null ? null : compareJson(left, right);
}

function findFirstByte(before: string, after: string): string {
  const [left, right] = [atob(before), atob(after)];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return `The bytes differ from byte ${at + 1} on`;
}
