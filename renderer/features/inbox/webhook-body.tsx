import { useMemo, useState } from 'react';
import { Choice } from '../../ui/choice';
import { findBrokenJson } from '../../ui/describe-broken-json';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { formatBytes } from '../../ui/format-time';
import { useJsonDocument } from '../../ui/json-document/json-document-reader';
import { JsonDocumentTree } from '../../ui/json-document/json-document-tree';
import { JsonView } from '../../ui/json-view';
import { useLaidOutJson } from '../../ui/laid-out-json';
import { Skeleton } from '../../ui/spinner';
import { signedFieldClass } from '../../ui/string-to-sign-spans';
import type { WebhookDetail } from './inbox-state';
import styles from './inbox.module.css';
import { findStringField } from './read-echo';
import column from '../../ui/column.module.css';

const modes = [
  { id: 'pretty', label: 'Pretty' },
  { id: 'raw', label: 'Raw' },
  { id: 'tree', label: 'Tree' },
] as const;
type Mode = (typeof modes)[number]['id'];

/** The body of a webhook: laid out, as received, or as a tree. */
export function WebhookBody({ webhook }: { webhook: WebhookDetail }) {
  const [mode, setMode] = useState<Mode>('pretty');
  if (webhook.sizeBytes === 0) return <EmptyState title="The webhook had no body" />;
  return (
    <div className={column.whole}>
      <div className={styles.bodyBar}>
        <Choice label="How the body is shown" options={modes} selected={mode} onSelect={setMode} />
      </div>
      <div className={styles.bodyShown}>
        {mode === 'tree' ? (
          <BodyTree webhook={webhook} />
        ) : (
          <BodyText webhook={webhook} isRaw={mode === 'raw'} />
        )}
      </div>
    </div>
  );
}

function BodyText({ webhook, isRaw }: { webhook: WebhookDetail; isRaw: boolean }) {
  const { body, contentType, isBodyCut } = webhook;
  const fault = useMemo(
    () => (isBodyCut ? null : findBrokenJson(body, contentType)),
    [body, contentType, isBodyCut],
  );
  // What is broken stands as it came, or its place would not be where it is said to be.
  const isAsReceived = isRaw || fault !== null;
  const laidOut = useLaidOutJson(isAsReceived ? '' : body);
  const text = isAsReceived ? body : laidOut;
  const marks = useMemo(() => {
    const found = findStringField(text, 'client_reference');
    return found ? [{ ...found, className: signedFieldClass('reference') }] : [];
  }, [text]);
  return (
    <JsonView
      text={text}
      label={isRaw ? 'Body of the webhook as received' : 'Body of the webhook'}
      isPlain={isRaw}
      marks={marks}
      fault={fault}
      note={
        isBodyCut ? `The beginning of ${formatBytes(webhook.sizeBytes)}. Copy as cURL has them all.` : null
      }
    />
  );
}

function BodyTree({ webhook: { body, isBodyCut } }: { webhook: WebhookDetail }) {
  const { reader, error } = useJsonDocument(isBodyCut ? null : body);
  if (isBodyCut) return <EmptyState title="No tree">Only the beginning of the body is here.</EmptyState>;
  if (error) return <ErrorLine error={error} tone="warn" />;
  if (reader === null) return <Skeleton lines={6} />;
  return <JsonDocumentTree reader={reader} label="Body of the webhook as a tree" />;
}
