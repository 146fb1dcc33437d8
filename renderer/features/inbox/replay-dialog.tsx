import { useState } from 'react';
import { FormDialog } from '../../ui/dialog';
import { readRemembered, remember } from '../../ui/remembered';
import { Switch } from '../../ui/switch';
import { TextField } from '../../ui/text-field';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';

const MEMORY = 'inbox.replayTo';

/** Sends a webhook once more, its bytes as received unless they are changed here. */
export function ReplayDialog({ webhook, onClose }: { webhook: WebhookDetail; onClose: () => void }) {
  const replay = useInboxStore((state) => state.replay);
  const [to, setTo] = useState(() => String(readRemembered(MEMORY) ?? 'http://127.0.0.1:3000'));
  const [body, setBody] = useState(webhook.body);
  const [isResigned, setResigned] = useState(false);
  // A field of the page would drop carriage returns, and cannot hold what is no text.
  const isEditable = !webhook.isBodyCut && !/[\r\ufffd]/.test(webhook.body);
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
        value={to}
        onChange={setTo}
        help="Without a path it keeps the webhook's own. Redirects are not followed."
        autoFocus
      />
      {isEditable ? (
        <TextField label="Body, sent as it stands here" value={body} onChange={setBody} isCode rows={8} />
      ) : (
        <p>
          Its body is sent as received: it is long, no text, or has carriage returns. Values in it change with
          inbox replay --edit.
        </p>
      )}
      <Switch isSelected={isResigned} onChange={setResigned}>
        Sign anew, with the time of now
      </Switch>
    </FormDialog>
  );
}
