import type { KeySummary } from '@shared/contract/vault';
import { useState } from 'react';
import { useMenuCommands } from '../../session/commands';
import { canExportPrivateKeys } from '../../transport/client';
import { Button, TextButton } from '../../ui/button';
import { copyAction } from '../../ui/copy-action';
import { ErrorLine } from '../../ui/error-line';
import { formatExact } from '../../ui/format-time';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { RelativeTime } from '../../ui/relative-time';
import { saveFile } from '../../ui/save-file';
import { useAttempt } from '../../ui/use-attempt';
import { EnvironmentSelect } from './environment-select';
import { DeleteDialog, ExportDialog, RenameDialog } from './key-dialogs';
import { keyFileName, pemType } from './keys-selectors';
import { useKeysStore } from './keys-store';
import { PairCheck } from './pair-check';
import styles from './keys.module.css';
import { ForeignText } from '../../ui/foreign-text';
import { Fingerprint, PublicHalf } from './public-half';
import column from '../../ui/column.module.css';

/** One key: what it is, where it signs, its public half. The private half never comes here. */
export function KeyDetail({ summary }: { summary: KeySummary }) {
  const repairs = useKeysStore((state) => (state.repairs?.keyId === summary.id ? state.repairs.list : null));
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'export' | null>(null);
  const close = (): void => setDialog(null);
  useMenuCommands('Key', [
    { id: 'rename', label: 'Rename…', onAction: () => setDialog('rename') },
    copyAction('copy', 'Copy the public key', summary.publicKeyPem),
    { id: 'save', label: 'Save the public key as PEM', onAction: () => savePublicKey(summary) },
    ...(canExportPrivateKeys()
      ? [
          {
            id: 'export',
            label: 'Export the private key…',
            obstacle: summary.isLocked && 'The key is locked',
            onAction: () => setDialog('export'),
          },
        ]
      : []),
    { id: 'delete', label: 'Delete…', onAction: () => setDialog('delete') },
  ]);
  return (
    <div className={column.scroll}>
      <PaneHeader title={<ForeignText title={summary.name} text={summary.name} />} isSubject>
        <TextButton onPress={() => setDialog('rename')}>Rename</TextButton>
        {canExportPrivateKeys() ? (
          <TextButton obstacle={summary.isLocked && 'It is locked'} onPress={() => setDialog('export')}>
            Export the private key…
          </TextButton>
        ) : null}
        <TextButton className={styles.danger} onPress={() => setDialog('delete')}>
          Delete…
        </TextButton>
      </PaneHeader>
      {summary.isLocked ? (
        <ErrorLine
          tone="warn"
          className={styles.fault}
          error={{
            message:
              'This key was sealed elsewhere or is damaged: it is kept byte for byte, and cannot sign now. Unlock the vault with the key that sealed it.',
          }}
        />
      ) : null}
      {repairs ? <p className={styles.note}>{`On reading: ${repairs.join(', ')}.`}</p> : null}
      <Facts summary={summary} />
      <Binding summary={summary} />
      <PublicKey summary={summary} />
      <PairCheck keyId={summary.id} />
      {dialog === 'rename' ? <RenameDialog summary={summary} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteDialog summary={summary} onClose={close} /> : null}
      {dialog === 'export' ? <ExportDialog summary={summary} onClose={close} /> : null}
    </div>
  );
}

function Facts({ summary }: { summary: KeySummary }) {
  return (
    <>
      <FactList
        facts={[
          { label: 'Kind', value: `RSA ${summary.bits}, exponent ${summary.exponent}` },
          { label: 'Origin', value: summary.origin },
          {
            label: 'In the vault since',
            value: (
              <span title={formatExact(summary.createdAt)}>
                <RelativeTime at={summary.createdAt} />
              </span>
            ),
          },
        ]}
      />
      <Fingerprint fingerprint={summary.fingerprint} />
    </>
  );
}

function Binding({ summary }: { summary: KeySummary }) {
  const updateKey = useKeysStore((state) => state.updateKey);
  const { error, run } = useAttempt();
  return (
    <div className={styles.block}>
      <div className={styles.bind}>
        <EnvironmentSelect
          value={summary.environment}
          onChange={(environment) => void run(() => updateKey({ id: summary.id, environment }))}
        />
        <p className={styles.hint}>
          A key bound to one environment is refused in every other: keep separate pairs for sandbox and
          production.
        </p>
      </div>
      {error ? <ErrorLine error={error} /> : null}
    </div>
  );
}

const savePublicKey = ({ name, publicKeyPem }: KeySummary): void =>
  saveFile(keyFileName(name, 'public'), publicKeyPem, pemType);

function PublicKey({ summary }: { summary: KeySummary }) {
  return (
    <PublicHalf
      pem={summary.publicKeyPem}
      label="Public key"
      title="Public key, to register with the service"
    >
      <Button onPress={() => savePublicKey(summary)}>Save as PEM</Button>
    </PublicHalf>
  );
}
