import { checkWebhookFields, type WebhookFieldProblem } from '@shared/webhooks/check-webhook-fields';
import { useMemo } from 'react';
import { useAppStatus } from '../../session/app-status';
import { EmptyState } from '../../ui/empty-state';
import type { WebhookDetail } from './inbox-state';
import { ForeignText } from '../../ui/foreign-text';
import styles from './inbox.module.css';

const names: Readonly<Record<WebhookFieldProblem['kind'], string>> = {
  missing: 'missing',
  unexpected: 'unexpected',
  wrong_type: 'wrong type',
  unknown_value: 'unknown value',
  not_json: 'not readable',
  too_many: 'not looked into',
};

/** Where the body of a webhook is not as the schema says; null: only its beginning is here, which says nothing. */
export function useSchemaProblems({
  body,
  isBodyCut,
  isKeptCut,
}: WebhookDetail): WebhookFieldProblem[] | null {
  const states = useAppStatus((state) => state.status?.environment.setup.profile.webhookStates);
  return useMemo(
    () => (isBodyCut || isKeptCut ? null : checkWebhookFields(body, Object.keys(states ?? {}))),
    [body, isBodyCut, isKeptCut, states],
  );
}

/** The webhook against the schema, in words. */
export function WebhookSchema({ problems }: { problems: readonly WebhookFieldProblem[] | null }) {
  if (problems === null)
    return <EmptyState title="Not compared">Only the beginning of the body is here.</EmptyState>;
  if (problems.length === 0) {
    return (
      <EmptyState title="As the schema says">
        Every field is there, of its type. The interface shows no schema: this one is assumption A3.
      </EmptyState>
    );
  }
  return (
    <div className={styles.compare}>
      <p>Against the fields of assumption A3: the interface shows no schema of webhooks.</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">What</th>
            <th scope="col" className={styles.words}>
              In words
            </th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ pointer, kind, message }, at) => (
            <tr key={`${at} ${pointer}`}>
              <td>
                <ForeignText text={pointer || 'the whole'} />
              </td>
              <td>{names[kind]}</td>
              <td className={styles.wrapped}>
                <ForeignText text={message} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
