import { writeWebhookAsCurl } from '@shared/webhooks/write-webhook';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { navigate } from '../../session/routes';
import { IconButton, TextButton } from '../../ui/button';
import { CopyButton, CopyText } from '../../ui/copy-text';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { LoadError } from '../../ui/load-error';
import { formatDuration, formatExact } from '../../ui/format-time';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { RowMenu } from '../../ui/row-menu';
import { Skeleton } from '../../ui/spinner';
import { signedFieldClass } from '../../ui/string-to-sign-spans';
import { AskedDialog, type Asked } from './chosen-rows';
import { DeleteDialog } from './delete-dialog';
import { ReplayDialog } from './replay-dialog';
import { WebhookVerdict, WhySignature } from './webhook-verdict';
import { WebhookTabs } from './webhook-tabs';
import { NoWebhooks } from './no-webhooks';
import { isGoodAnswer, ordinal } from './inbox-selectors';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';
import { readEcho } from './read-echo';
import { showWebhook } from './show-webhook';
import { mayNotMark, useWebhookActions } from './webhook-menu';
import { LOCAL, useMayMark } from './team/team-store';
import { ForeignText } from '../../ui/foreign-text';
import tones from '../../ui/tone.module.css';

/** The right half: one webhook in full. */
export function WebhookDetail() {
  const detail = useInboxStore((state) => state.detail);
  const phase = useInboxStore((state) => state.detailPhase);
  const error = useInboxStore((state) => state.detailError);
  const selectedId = useInboxStore((state) => state.selectedId);
  const select = useInboxStore((state) => state.select);
  const hasRows = useInboxStore((state) => state.rows.length > 0);
  const isEmpty = useInboxStore(
    ({ phase, search, filter }) => phase === 'ready' && search === '' && filter === 'all',
  );
  if (error && phase === 'failed')
    return <LoadError error={error} isApart onRetry={() => selectedId !== null && select(selectedId)} />;
  if (detail === null) {
    if (phase === 'loading') return <Skeleton lines={8} />;
    if (!hasRows && !isEmpty) return null;
    return hasRows ? (
      <EmptyState title="No webhook chosen">Arrow keys move through the list, u marks unread.</EmptyState>
    ) : (
      <NoWebhooks />
    );
  }
  return (
    <div className={styles.detail}>
      <DetailHeader webhook={detail} />
      {detail.remarks.map(({ kind, text }) => (
        <ErrorLine
          key={kind}
          error={{ message: text }}
          tone={kind === 'disagrees' ? 'bad' : 'warn'}
          isApart
        />
      ))}
      <FactsMenu webhook={detail}>
        <Facts webhook={detail} />
      </FactsMenu>
      <WhySignature webhook={detail} />
      <WebhookTabs webhook={detail} />
      <WayOn webhook={detail} />
    </div>
  );
}

function DetailHeader({ webhook }: { webhook: WebhookDetail }) {
  const readWhole = useInboxStore((state) => state.readWhole);
  const markRead = useInboxStore((state) => state.markRead);
  const mark = useInboxStore((state) => state.mark);
  const listenerUrl = useInboxStore((state) => state.listener?.url ?? 'http://127.0.0.1:4020');
  const [isAsking, setAsking] = useState(false);
  const [isReplaying, setReplaying] = useState(false);
  const store = useInboxStore((state) => state.store);
  const canMark = useMayMark(store);
  return (
    <PaneHeader
      title={<span title={`${webhook.method} ${webhook.path}`}>{`${webhook.method} ${webhook.path}`}</span>}
      isSubject
    >
      <TextButton onPress={() => setReplaying(true)}>Replay…</TextButton>
      <TextButton
        obstacle={!canMark && mayNotMark}
        onPress={() => void mark(webhook.id, { isPinned: !webhook.isPinned })}
      >
        {webhook.isPinned ? 'Unpin' : 'Pin'}
      </TextButton>
      <TextButton
        obstacle={!canMark && mayNotMark}
        onPress={() => void markRead([webhook.id], !webhook.isRead)}
      >
        {webhook.isRead ? 'Mark unread' : 'Mark read'}
      </TextButton>
      <CopyButton
        label="Copy as cURL"
        text={async () => writeWebhookAsCurl(await readWhole(webhook), listenerUrl)}
      />
      {store === LOCAL ? (
        <IconButton label="Delete this webhook" onPress={() => setAsking(true)}>
          <Trash2 size={14} />
        </IconButton>
      ) : null}
      {isAsking ? <DeleteDialog ids={[webhook.id]} onClose={() => setAsking(false)} /> : null}
      {isReplaying ? <ReplayDialog webhooks={webhook} onClose={() => setReplaying(false)} /> : null}
    </PaneHeader>
  );
}

/** What the menu of its row offers, but for showing it. */
function FactsMenu({ webhook, children }: { webhook: WebhookDetail; children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const actions = useWebhookActions(webhook, { onSelect: showWebhook, onAsk: setAsked });
  // Its keys are those of the list.
  const shown = actions
    .filter(({ id }) => id !== 'open' && id !== 'compare')
    .map((action) => ({ ...action, keys: undefined }));
  return (
    <>
      <RowMenu label="Webhook" actionsOf={() => shown}>
        {children}
      </RowMenu>
      {asked === null ? null : <AskedDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Facts({ webhook }: { webhook: WebhookDetail }) {
  const exchange = useInboxStore((state) => state.exchange);
  const { answers, answersOneOf } = webhook;
  const acceptedUuid = exchange?.reading?.paymentUuid ?? null;
  const isSameUuid =
    acceptedUuid === null || webhook.paymentUuid === null || acceptedUuid === webhook.paymentUuid;
  const took = webhook.answeredInMs === null ? '' : ` in ${formatDuration(webhook.answeredInMs)}`;
  const answered =
    webhook.respondedStatus === 0 ? 'closed without an answer' : `${webhook.respondedStatus}${took}`;
  const byRule = webhook.rule === null ? '' : `, by the rule “${webhook.rule}”`;
  return (
    <FactList
      facts={[
        {
          label: 'Answers',
          value: answers ? (
            <span title={`${answers.title}, ${formatExact(answers.sentAt)}`}>
              <ForeignText text={answers.title} />
            </span>
          ) : answersOneOf === undefined ? (
            <span className={tones.faint}>no known request</span>
          ) : (
            <span className={styles.warn}>
              {`one of ${answersOneOf} payments with its reference, each at a service of its own: nobody can tell which`}
            </span>
          ),
        },
        {
          label: 'Delay since it was sent',
          value: answers ? describeDelay(answers.sentAt, webhook.receivedAt) : '–',
        },
        {
          label: 'Answered',
          value: isGoodAnswer(webhook.respondedStatus) ? (
            `${answered}, durable${byRule}`
          ) : (
            <span className={styles.warn}>{`${answered}, kept all the same${byRule}`}</span>
          ),
        },
        {
          label: 'client_reference',
          value:
            webhook.clientReference === null ? (
              '–'
            ) : (
              <CopyText text={webhook.clientReference} label="client reference">
                <ForeignText className={signedFieldClass('reference')} text={webhook.clientReference} />
              </CopyText>
            ),
        },
        {
          label: 'payment_uuid',
          value:
            webhook.paymentUuid === null ? (
              '–'
            ) : (
              <>
                <CopyText text={webhook.paymentUuid} label="payment UUID" />
                {acceptedUuid === null ? null : isSameUuid ? (
                  ', as accepted'
                ) : (
                  <span className={styles.bad}>{`, accepted was ${acceptedUuid}`}</span>
                )}
              </>
            ),
        },
        {
          label: 'Delivery',
          value: `${ordinal(webhook.earlierAttempts + 1)} attempt`,
        },
        {
          label: 'Signature',
          value: <WebhookVerdict webhook={webhook} />,
        },
      ]}
    />
  );
}

function describeDelay(sentAt: number, receivedAt: number): string {
  const delay = formatDuration(Math.max(0, receivedAt - sentAt));
  return `${delay}, sent ${formatExact(sentAt).slice(11, 19)}`;
}

function WayOn({ webhook }: { webhook: WebhookDetail }) {
  const exchange = useInboxStore((state) => state.exchange);
  const echo = exchange ? readEcho(exchange.request.body, webhook.body) : null;
  const { clientReference } = webhook;
  if (clientReference === null && echo === null) return null;
  return (
    <footer className={styles.foot}>
      {echo ? (
        <span className={styles.echo}>
          <span>Echoed</span>
          <b>{echo.text}</b>
          <span className={echo.isSame ? undefined : styles.bad}>
            {echo.isSame ? 'matches the request' : 'differs from the request'}
          </span>
        </span>
      ) : null}
      {clientReference === null ? null : (
        <TextButton className={styles.change} onPress={() => navigate('payments', clientReference)}>
          Open the journey
        </TextButton>
      )}
    </footer>
  );
}
