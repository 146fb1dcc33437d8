import type { MethodOutput } from '@shared/contract/contract';
import type { AnswerRule } from '@shared/webhooks/rules/answer-rules';
import { describeConditions, describeRuleAnswers } from '@shared/webhooks/rules/describe-rule';
import { parseRules } from '@shared/webhooks/rules/parse-rules';
import { useState } from 'react';
import { call } from '../../transport/client';
import { Button, TextButton } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/error-line';
import { Select } from '../../ui/select';
import { TextField } from '../../ui/text-field';
import { formatExact } from '../../ui/format-time';
import { titleOf } from './inbox-selectors';
import { useInboxStore } from './inbox-store';
import { ForeignText } from '../../ui/foreign-text';
import styles from './inbox.module.css';
import { useRulesText } from './use-rules-text';
import { TableHead } from '../../ui/table-head';

const example = `{
  "version": 1,
  "rules": [
    {
      "name": "busy, then taken",
      "when": { "path": "/hooks/payments", "body": { "/status": "SUCCESS" } },
      "fail_first": 2,
      "answer": { "status": 200, "body": { "seen": "{{body.client_reference}}" } }
    }
  ]
}
`;

/** So many stored webhooks are offered to try rules on. */
const MOST_OFFERED = 50;

type Tried = MethodOutput<'listener.tryRules'>;

/** Answer rules as a file that a team shares, tried on a stored webhook before they are in force. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const setRules = useInboxStore((state) => state.setRules);
  const { text, changed, error, edit, takeChanged } = useRulesText();
  const { rules, fault } = readRules(text ?? '');
  const isEmpty = (text ?? '').trim() === '';
  return (
    <FormDialog
      title="Answer rules"
      onClose={onClose}
      onSubmit={() => setRules(isEmpty ? '' : (text ?? ''))}
      submitLabel="Put in force"
      obstacle={text === null ? (error ? 'The rules cannot be read' : 'The rules are being read') : fault}
      width="wide"
    >
      <TextField
        label="Rules, as listen --rules reads them; the first that fits answers"
        value={text ?? ''}
        onChange={edit}
        isReadOnly={text === null}
        isCode
        rows={7}
        fault={isEmpty ? null : fault}
        autoFocus
      />
      {changed === null ? null : (
        <ErrorLine error={{ message: 'answer-rules.json was changed outside of this editor.' }} tone="warn">
          <TextButton onPress={takeChanged}>Take it</TextButton>
        </ErrorLine>
      )}
      {isEmpty ? (
        <Button isDisabled={text === null} onPress={() => edit(example)}>
          Begin with an example
        </Button>
      ) : (
        <>
          <RuleTable rules={rules} />
          <TryOn text={fault === null ? text : null} />
        </>
      )}
      <p className={styles.told}>
        They stand in answer-rules.json in the data folder: a change there is in force within a second, too.
        What a rule has counted (fail_first, sequence) stays while the rule does, and begins anew when the
        listener is started.
      </p>
      {error instanceof Error ? <ErrorLine error={error} /> : null}
    </FormDialog>
  );
}

function RuleTable({ rules }: { rules: readonly AnswerRule[] }) {
  if (rules.length === 0) return null;
  return (
    <div className={styles.rules}>
      <table className={styles.table}>
        <TableHead names={['Rule', 'Fits', 'Answers']} />
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.name}>
              <td>
                <ForeignText text={rule.name} />
              </td>
              <td>
                <ForeignText text={describeConditions(rule.when)} />
              </td>
              <td>
                <ForeignText text={describeRuleAnswers(rule)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Tells what a stored webhook would be answered by the rules as they stand in the editor. */
function TryOn({ text }: { text: string | null }) {
  const rows = useInboxStore((state) => state.rows);
  const shownId = useInboxStore((state) => state.selectedId);
  const [chosen, setChosen] = useState<string | null>(null);
  const [tried, setTried] = useState<{ text: string; id: string; result: Tried } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const webhookId = chosen ?? shownId ?? rows[0]?.id ?? null;
  if (webhookId === null) return null;
  const offered = rows.filter(({ id }, at) => at < MOST_OFFERED || id === webhookId);
  const tryOn = (): void => {
    setError(null);
    call('listener.tryRules', { text: text ?? '', webhookId })
      .then((result) => setTried({ text: text ?? '', id: webhookId, result }))
      .catch(setError);
  };
  const isCurrent = tried?.text === text && tried?.id === webhookId;
  return (
    <>
      <div className={styles.try}>
        <Select
          label="Stored webhook"
          isLabelHidden
          className={styles.search}
          options={offered.map((row) => ({
            id: row.id,
            label: `${titleOf(row)}, ${row.clientReference ?? row.path}`,
            detail: `${formatExact(row.receivedAt)}${row.id === shownId ? ', on show' : ''}`,
          }))}
          selected={webhookId}
          onSelect={setChosen}
        />
        <Button isDisabled={text === null} onPress={tryOn}>
          Try on this webhook
        </Button>
      </div>
      {tried !== null && isCurrent ? (
        <output className={styles.tried}>{describeTried(tried.result)}</output>
      ) : null}
      {error instanceof Error ? <ErrorLine error={error} /> : null}
    </>
  );
}

function readRules(text: string): { rules: readonly AnswerRule[]; fault: string | null } {
  if (text.trim() === '') return { rules: [], fault: null };
  try {
    return { rules: parseRules(text), fault: null };
  } catch (error) {
    return { rules: [], fault: error instanceof Error ? error.message : String(error) };
  }
}

function describeTried({ rule, answer }: Tried): string {
  if (rule === null) return 'No rule fits this webhook: it is answered as usual.';
  if (answer === null) return `“${rule}” fits, and answers as usual.`;
  if (answer.isDropped) return `“${rule}” fits: the connection is closed without an answer.`;
  const headers = answer.headers.map(([name, value]) => `\n${name}: ${value}`).join('');
  const after = answer.delayMs > 0 ? ` after ${answer.delayMs} ms` : '';
  return `“${rule}” fits: ${answer.status}${after}${headers}${answer.body === '' ? '' : `\n\n${answer.body}`}`;
}
