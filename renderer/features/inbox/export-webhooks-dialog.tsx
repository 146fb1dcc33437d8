import {
  webhookExportFormats,
  webhookExportNames,
  type WebhookExportFormat,
} from '@shared/webhooks/export/webhook-export';
import { useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Button } from '../../ui/button';
import { formatExact } from '../../ui/format-time';
import { saveFile } from '../../ui/save-file';
import { Select } from '../../ui/select';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

const formats = webhookExportNames.map((id) => ({
  id,
  label: webhookExportFormats[id].label,
  detail: webhookExportFormats[id].hint,
}));

/** Asks for the form, then offers the file; says where not all went into it. */
export function ExportWebhooksDialog({
  ids,
  count,
  onClose,
}: {
  ids: readonly string[] | 'all';
  count: number;
  onClose: () => void;
}) {
  const exportAs = useInboxStore((state) => state.exportAs);
  const [format, setFormat] = useState<WebhookExportFormat>('jsonl');
  const [written, setWritten] = useState<number | null>(null);
  const isCut = useRef(false);
  const run = async (): Promise<void> => {
    const exported = await exportAs(format, ids);
    const day = formatExact(Date.now()).slice(0, 10);
    saveFile(`webhooks-${day}.${webhookExportFormats[format].extension}`, exported.text, 'text/plain');
    isCut.current = exported.isCut;
    if (exported.isCut) setWritten(exported.count);
  };
  if (written !== null) {
    return (
      <Dialog title="Not all webhooks went into the file" onClose={onClose}>
        <p className={styles.told}>
          {`It holds the newest ${written.toLocaleString('en')}. `}
          The command line writes all of them: <code>countersign inbox export --filter EXPR</code>.
        </p>
        <Button onPress={onClose}>Close</Button>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={count === 1 ? 'Export this webhook' : `Export ${count.toLocaleString('en')} webhooks`}
      onClose={() => {
        // What was left out stands in its place then.
        if (!isCut.current) onClose();
      }}
      onSubmit={run}
      submitLabel="Export"
    >
      <Select label="Form" options={formats} selected={format} onSelect={setFormat} />
      <p className={styles.told}>
        Whole, newest first. Credentials in addresses and headers are masked; bodies are as received.
      </p>
    </FormDialog>
  );
}
