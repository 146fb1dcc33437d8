import { useEffect, useMemo, useState } from 'react';
import { CopyText } from '../../ui/copy-text';
import { EmptyState } from '../../ui/empty-state';
import { copyAction } from '../../ui/copy-action';
import { HeaderMenu, HeaderRows } from '../../ui/header-rows';
import { formatBytes, formatExact } from '../../ui/format-time';
import { JsonView } from '../../ui/json-view';
import type { MenuAction } from '../../ui/menu';
import { RowMenu } from '../../ui/row-menu';
import { Skeleton } from '../../ui/spinner';
import { Tabs } from '../../ui/tabs';
import { isGoodAnswer, readHexLines } from './inbox-selectors';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';
import { showWebhook } from './show-webhook';
import { LOCAL } from './team/team-store';
import { WebhookBody } from './webhook-body';
import { WebhookCompare } from './webhook-compare';
import { WebhookNotes } from './webhook-notes';
import { WebhookReplays } from './webhook-replays';
import { useSchemaProblems, WebhookSchema } from './webhook-schema';
import { ForwardAttempts } from './ways/forward-attempts';

/** Bytes shown in the hex view; the rest is a command line away. */
const hexLines = 4096;

/** What stands there because of one webhook alone. */
const ofOne: ReadonlySet<string> = new Set(['compare', 'replays']);

/** Body, headers, bytes and attempts of one webhook; whoever goes from one to the next goes on in the same part. */
export function WebhookTabs({ webhook }: { webhook: WebhookDetail }) {
  const [tab, setTab] = useState('body');
  const [id, setId] = useState(webhook.id);
  if (id !== webhook.id) {
    setId(webhook.id);
    if (ofOne.has(tab)) setTab('body');
  }
  const compared = useInboxStore((state) => state.compared);
  // Whoever asks to compare wants to see it.
  const [seen, setSeen] = useState(compared);
  if (seen !== compared) {
    setSeen(compared);
    if (compared !== null) setTab('compare');
  }
  // Whoever sends it again wants to see what was answered.
  const replayed = useInboxStore((state) => state.replayed);
  const [told, setTold] = useState(replayed);
  if (told !== replayed) {
    setTold(replayed);
    setTab('replays');
  }
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  const problems = useSchemaProblems(webhook);
  const isGone = (tab === 'compare' && compared === null) || (tab === 'forwards' && !isLocal);
  const shown = isGone ? 'body' : tab;
  return (
    <div className={styles.tabs}>
      <Tabs
        label="Parts of the webhook"
        items={[
          { id: 'body', label: 'Body' },
          { id: 'schema', label: 'Schema', ...(problems?.length ? { count: problems.length } : {}) },
          { id: 'headers', label: 'Headers', count: webhook.headers.length },
          { id: 'raw', label: 'Raw bytes' },
          { id: 'attempts', label: 'Attempts', count: webhook.earlierAttempts + 1 },
          ...(isLocal ? [{ id: 'forwards', label: 'Forwards' }] : []),
          { id: 'replays', label: 'Replays' },
          { id: 'notes', label: 'Notes' },
          ...(compared === null ? [] : [{ id: 'compare', label: 'Compare' }]),
        ]}
        selected={shown}
        onSelect={setTab}
        trailing={
          <span className={styles.kind}>
            {`${webhook.contentType ?? 'no content type'} · ${formatBytes(webhook.sizeBytes)}`}
          </span>
        }
        render={(part) => {
          if (part === 'schema') return <WebhookSchema key={id} problems={problems} />;
          if (part === 'headers') return <Headers key={id} webhook={webhook} />;
          if (part === 'raw') return <RawBytes key={id} webhook={webhook} />;
          if (part === 'forwards') return <ForwardAttempts key={id} id={id} />;
          if (part === 'attempts') return <Attempts key={id} webhook={webhook} />;
          if (part === 'replays') return <WebhookReplays key={id} />;
          if (part === 'notes') return <WebhookNotes key={id} webhook={webhook} />;
          if (part === 'compare' && compared)
            return <WebhookCompare key={id} webhook={webhook} other={compared} />;
          return <WebhookBody key={id} webhook={webhook} />;
        }}
      />
    </div>
  );
}

function Headers({ webhook }: { webhook: WebhookDetail }) {
  return (
    <HeaderMenu headers={webhook.headers}>
      <table className={styles.table}>
        <tbody>
          <HeaderRows headers={webhook.headers} />
          {webhook.remoteAddress === null ? null : (
            <tr>
              <th scope="row">from</th>
              <td>{webhook.remoteAddress}</td>
            </tr>
          )}
        </tbody>
      </table>
    </HeaderMenu>
  );
}

function RawBytes({ webhook }: { webhook: WebhookDetail }) {
  const { lines, isCut } = useMemo(() => readHexLines(webhook.bodyBase64, hexLines), [webhook.bodyBase64]);
  const text = lines.map((line) => `${line.offset}  ${line.hex.padEnd(47)}  ${line.text}`).join('\n');
  if (lines.length === 0) return <EmptyState title="No bytes" />;
  return (
    <JsonView
      text={text}
      label="Bytes of the body"
      isPlain
      note={
        isCut
          ? `The first ${formatBytes(hexLines * 16)} of ${formatBytes(webhook.sizeBytes)}. Copy as cURL has them all.`
          : null
      }
    />
  );
}

function Attempts({ webhook }: { webhook: WebhookDetail }) {
  const attempts = useInboxStore((state) => state.attempts);
  const loadAttempts = useInboxStore((state) => state.loadAttempts);
  useEffect(() => {
    void loadAttempts();
  }, [loadAttempts, webhook.id]);
  if (attempts === null) return <Skeleton lines={2} />;
  const all = [...attempts, webhook].toSorted((left, right) => right.receivedAt - left.receivedAt);
  const days = new Set(all.map(({ receivedAt }) => formatExact(receivedAt).slice(0, 10)));
  // A day that they share stands above already, and would leave no room for the time.
  const tellTime = (at: number): string => (days.size > 1 ? formatExact(at) : formatExact(at).slice(11));
  const actionsOf = (id: string): MenuAction[] => [
    {
      id: 'open',
      label: 'Open',
      obstacle: id === webhook.id && 'It is the one on show',
      onAction: () => showWebhook(id),
    },
    copyAction('id', 'Copy the webhook-id', all.find((one) => one.id === id)?.webhookId ?? null),
  ];
  return (
    <RowMenu label="Attempt" actionsOf={actionsOf}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">We answered</th>
            <th scope="col" className={styles.id}>
              webhook-id
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.id} data-key={one.id} aria-current={one.id === webhook.id ? 'true' : undefined}>
              <td title={formatExact(one.receivedAt)}>
                {one.id === webhook.id ? (
                  `${tellTime(one.receivedAt)}, this one`
                ) : (
                  <button type="button" className={styles.jump} onClick={() => showWebhook(one.id)}>
                    {tellTime(one.receivedAt)}
                  </button>
                )}
              </td>
              <td className={isGoodAnswer(one.respondedStatus) ? undefined : styles.bad}>
                {one.respondedStatus}
              </td>
              <td>{one.webhookId ? <CopyText text={one.webhookId} label="webhook-id" /> : 'none'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </RowMenu>
  );
}
