import { hasHeapedMarks } from '@shared/show-controls';
import { useEffect, useState } from 'react';
import { CodeEditor } from '../../ui/code-editor';
import { forgetDocument } from '../../ui/code-editor/forget-document';
import { FormDialog } from '../../ui/dialog';
import { readRemembered, remember } from '../../ui/remembered';
import { Switch } from '../../ui/switch';
import { TextField } from '../../ui/text-field';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import { useWaysStore } from './ways/ways-store';
import styles from './inbox.module.css';

const MEMORY = 'inbox.replayTo';
const BODY = 'Body, sent as it stands here';

/** Sends a webhook once more, its bytes as received unless they are changed here. */
export function ReplayDialog({ webhook, onClose }: { webhook: WebhookDetail; onClose: () => void }) {
  const replay = useInboxStore((state) => state.replay);
  const forwardedTo = useWaysStore((state) => state.forwarding?.url);
  const [to, setTo] = useState(() =>
    String(readRemembered(MEMORY) ?? (forwardedTo || 'http://127.0.0.1:3000')),
  );
  const [body, setBody] = useState(webhook.body);
  const [isResigned, setResigned] = useState(false);
  // The editor keeps every character, carriage returns and controls too; what is no text it cannot hold.
  const isText = !webhook.body.includes('\ufffd') && !hasHeapedMarks(webhook.body);
  const isEditable = !webhook.isBodyCut && isText;
  const documentKey = `replay:${webhook.id}`;
  useEffect(() => () => forgetDocument(documentKey), [documentKey]);
  const submit = async (): Promise<void> => {
    remember(MEMORY, to);
    await replay({ to, isResigned, body: isEditable && body !== webhook.body ? body : null });
  };
  return (
    <FormDialog
      title="Replay this webhook"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Send"
      isSubmitDisabled={!URL.canParse(to)}
      width="wide"
    >
      <TextField
        label="Send to"
        type="url"
        isCode
        value={to}
        onChange={setTo}
        help="Without a path it keeps the webhook's own. Redirects are not followed."
        autoFocus
      />
      {isEditable ? (
        <div className={styles.replayed}>
          <small aria-hidden>{BODY}</small>
          <CodeEditor
            label={BODY}
            doesTabLeave
            documentKey={documentKey}
            language="json"
            value={body}
            onChange={setBody}
          />
        </div>
      ) : (
        <p>
          {webhook.isBodyCut
            ? 'Its body is sent as received: it is too long to be changed here.'
            : 'Its body is sent as received: it is no text that can be shown and changed.'}{' '}
          Values in JSON change with <code>countersign inbox replay {webhook.id} --edit name=value</code>.
        </p>
      )}
      <Switch isSelected={isResigned} onChange={setResigned}>
        Sign anew, with the time of now
      </Switch>
    </FormDialog>
  );
}
