import type { MethodOutput } from '@shared/contract/contract';
import { parseRules } from '@shared/webhooks/rules/parse-rules';
import { useEffect, useState } from 'react';
import { call } from '../../transport/client';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialog';
import { ErrorLine } from '../../ui/error-line';
import { TextField } from '../../ui/text-field';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

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

type Tried = MethodOutput<'listener.tryRules'>;

/** Answer rules as a file that a team shares, tried on the webhook on show before they are in force. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const setRules = useInboxStore((state) => state.setRules);
  const webhook = useInboxStore((state) => state.detail);
  const [text, setText] = useState<string | null>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    call('listener.rules', {})
      .then((kept) => setText(kept.text))
      .catch(setError);
  }, []);
  const fault = text === null || text.trim() === '' ? null : findFault(text);
  const change = (next: string): void => {
    setText(next);
    setTried(null);
  };
  const tryOn = (webhookId: string): void => {
    call('listener.tryRules', { text: text ?? '', webhookId })
      .then(setTried)
      .catch(setError);
  };
  return (
    <FormDialog
      title="Answer rules"
      isOpen
      onClose={onClose}
      onSubmit={() => setRules((text ?? '').trim() === '' ? '' : (text ?? ''))}
      submitLabel="Put in force"
      isSubmitDisabled={text === null || fault !== null}
      width="wide"
    >
      <TextField
        label="Rules, as listen --rules reads them; the first that fits answers"
        value={text ?? ''}
        onChange={change}
        isCode
        rows={12}
        fault={fault}
        autoFocus
      />
      <div className={styles.presets}>
        <Button isDisabled={text === null || text.trim() !== ''} onPress={() => change(example)}>
          Begin with an example
        </Button>
        <Button
          isDisabled={webhook === null || fault !== null || (text ?? '').trim() === ''}
          onPress={() => webhook && tryOn(webhook.id)}
        >
          Try on the webhook on show
        </Button>
      </div>
      {tried === null ? null : <output className={styles.tried}>{describeTried(tried)}</output>}
      {error instanceof Error ? <ErrorLine error={error} /> : null}
    </FormDialog>
  );
}

function findFault(text: string): string | null {
  try {
    parseRules(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
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
