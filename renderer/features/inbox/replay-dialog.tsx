import { hasHeapedMarks } from '@shared/show-controls';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { CodeEditor } from '../../ui/code-editor';
import { forgetDocument } from '../../ui/code-editor/forget-document';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { readWhole } from '../../ui/read-whole';
import { readRemembered, remember } from '../../ui/remembered';
import { tell } from '../../ui/say';
import { Switch } from '../../ui/switch';
import { TextField } from '../../ui/text-field';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import { describeTally, type ReplayOrder, type ReplayTally } from './replay-run';
import { useWaysStore } from './ways/ways-store';
import styles from './inbox.module.css';

const MEMORY = 'inbox.replayTo';
const BODY = 'Body, sent as it stands here';
const MOST = 10_000;

const COUNT_FAULT = `A whole number from 1 to ${MOST.toLocaleString('en')}.`;

/**
 * Sends webhooks once more, their bytes as received; that of a single one may be changed here.
 *
 * @param webhooks - the one on show, or the ids of several
 */
export function ReplayDialog({
  webhooks,
  onClose,
}: {
  webhooks: WebhookDetail | readonly string[];
  onClose: () => void;
}) {
  const forwardedTo = useWaysStore((state) => state.forwarding?.url);
  const [to, setTo] = useState(() =>
    String(readRemembered(MEMORY) ?? (forwardedTo || 'http://127.0.0.1:3000')),
  );
  const one = 'id' in webhooks ? webhooks : null;
  // Ids follow the order of arrival.
  const ids = 'id' in webhooks ? [webhooks.id] : webhooks.toSorted();
  const [body, setBody] = useState(one?.body ?? '');
  const [pace, setPace] = useState({ times: '1', perSecond: '', isResigned: false });
  const { times, perSecond, isGood } = readPace(pace);
  const count = ids.length * times;
  const { tally, isDone, send, close } = useReplaying(onClose);
  const isEdited = one !== null && isEditable(one) && body !== one.body;
  const submit = (): Promise<void> => {
    remember(MEMORY, to);
    const { isResigned } = pace;
    return send({ ids, to, isResigned, body: isEdited ? body : null, times, perSecond });
  };
  if (isDone) {
    return (
      <Dialog title={nameReplay(ids)} onClose={onClose}>
        <p
          className={styles.told}
        >{`${describeTally(tally, count)}. The newest hundred of each stand under Replays.`}</p>
        <Button onPress={onClose}>Close</Button>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={nameReplay(ids)}
      onClose={close}
      onSubmit={submit}
      submitLabel="Send"
      obstacle={
        !URL.canParse(to) ? 'Enter a whole address' : !isGood && 'How often, or how fast, is no such number'
      }
      progress={count > 1 ? describeTally(tally, count) : ''}
      isChanged={isEdited}
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
      {one === null ? (
        <p>
          {ids.length === 1
            ? 'Body and headers as received.'
            : 'Bodies and headers as received, in the order of arrival.'}
        </p>
      ) : (
        <Body webhook={one} body={body} onChange={setBody} />
      )}
      <PaceFields pace={pace} onChange={(change) => setPace({ ...pace, ...change })} />
    </FormDialog>
  );
}

/** A run of replays: how it goes, and its end. */
function useReplaying(onClose: () => void) {
  const replay = useInboxStore((state) => state.replay);
  const [tally, setTally] = useState<ReplayTally>(new Map());
  const [isDone, setDone] = useState(false);
  const isTold = useRef(false);
  const abort = useRef<AbortController>(null);
  return {
    tally,
    isDone,
    async send(order: ReplayOrder): Promise<void> {
      setTally(new Map());
      const { signal } = (abort.current = new AbortController());
      let last: ReplayTally = new Map();
      await replay(order, signal, (sofar) => setTally((last = sofar)));
      const count = order.ids.length * order.times;
      // The answer to one stands beside it.
      isTold.current = count > 1 && !signal.aborted;
      if (!signal.aborted) tell(describeTally(last, count));
      setDone(isTold.current);
    },
    /** Gives up what is under way; a form closes itself after its end, where the end may have to be told. */
    close(): void {
      if (isTold.current) return;
      abort.current?.abort();
      onClose();
    },
  };
}

/** How often and how fast, as typed, and how it is signed. */
interface Pace {
  readonly times: string;
  readonly perSecond: string;
  readonly isResigned: boolean;
}

function readPace(pace: Pace) {
  const [times, perSecond] = [readWhole(pace.times, 1, MOST), readWhole(pace.perSecond, 1, MOST)];
  const isRateGood = perSecond !== null || pace.perSecond.trim() === '';
  return { times: times ?? 1, perSecond, isRateGood, isGood: times !== null && isRateGood };
}

function PaceFields({ pace, onChange }: { pace: Pace; onChange: (change: Partial<Pace>) => void }) {
  return (
    <div className={styles.pace}>
      <TextField
        label="Times"
        value={pace.times}
        onChange={(times) => onChange({ times })}
        fault={readWhole(pace.times, 1, MOST) === null ? COUNT_FAULT : null}
      />
      <TextField
        label="At most a second"
        placeholder="as answers come"
        value={pace.perSecond}
        onChange={(perSecond) => onChange({ perSecond })}
        fault={readPace(pace).isRateGood ? null : COUNT_FAULT}
      />
      <Switch isSelected={pace.isResigned} onChange={(isResigned) => onChange({ isResigned })}>
        Sign anew, with the time of now
      </Switch>
    </div>
  );
}

const nameReplay = (ids: readonly string[]): string =>
  ids.length === 1 ? 'Replay this webhook' : `Replay ${ids.length.toLocaleString('en')} webhooks`;

/** The editor keeps every character, carriage returns and controls too; what is no text it cannot hold. */
const isText = ({ body }: WebhookDetail): boolean => !body.includes('\ufffd') && !hasHeapedMarks(body);
const isEditable = (webhook: WebhookDetail): boolean => !webhook.isBodyCut && isText(webhook);

function Body({
  webhook,
  body,
  onChange,
}: {
  webhook: WebhookDetail;
  body: string;
  onChange: (body: string) => void;
}) {
  const documentKey = `replay:${webhook.id}`;
  useEffect(() => () => forgetDocument(documentKey), [documentKey]);
  if (!isEditable(webhook)) {
    return (
      <p>
        {webhook.isBodyCut
          ? 'Its body is sent as received: it is too long to be changed here.'
          : 'Its body is sent as received: it is no text that can be shown and changed.'}{' '}
        Values in JSON change with <code>countersign inbox replay {webhook.id} --edit name=value</code>.
      </p>
    );
  }
  return (
    <div className={styles.replayed}>
      <small aria-hidden>{BODY}</small>
      <CodeEditor
        label={BODY}
        doesTabLeave
        documentKey={documentKey}
        language="json"
        value={body}
        onChange={onChange}
      />
    </div>
  );
}
