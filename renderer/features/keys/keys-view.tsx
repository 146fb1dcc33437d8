import { useEffect, useState } from 'react';
import { useAsked } from '../../session/routes';
import { useViewTask } from '../../session/tasks';
import { Button } from '../../ui/button';
import { EmptyView } from '../../ui/empty-view';
import { LoadError } from '../../ui/load-error';
import { Skeleton } from '../../ui/spinner';
import { SplitPane } from '../../ui/split-pane';
import { CredentialsDetail } from './credentials-detail';
import { InspectPane } from './inspect-pane';
import { KeyDetail } from './key-detail';
import { GenerateDialog, ImportDialog } from './key-dialogs';
import { KeysList } from './keys-list';
import { useKeysStore } from './keys-store';
import { TokenDetail } from './token-detail';
import { VaultPane } from './vault-pane';
import styles from './keys.module.css';
import { mainButton } from '../../ui/main-button';

/** What signs, what fetches tokens, the tokens themselves, and the vault around them. */
export function KeysView() {
  const start = useKeysStore((state) => state.start);
  const [dialog, setDialog] = useState<'generate' | 'import' | null>(null);
  useEffect(() => start(), [start]);
  useAsked('keys', showAsked);
  useViewTask('generateKey', () => setDialog('generate'));
  useViewTask('importKey', () => setDialog('import'));
  const choose = useKeysStore((state) => state.choose);
  useViewTask('inspectKey', () => choose({ kind: 'inspect' }));
  useViewTask('showVault', () => choose({ kind: 'vault' }));
  const close = (): void => setDialog(null);
  return (
    <>
      <SplitPane
        id="keys"
        panes={[
          {
            id: 'keys-list',
            label: 'Keys and tokens',
            content: (
              <KeysList onGenerate={() => setDialog('generate')} onImport={() => setDialog('import')} />
            ),
            defaultSize: 300,
            minSize: 240,
            isFixed: true,
          },
          {
            id: 'keys-detail',
            label: 'Details',
            content: <Detail onGenerate={() => setDialog('generate')} onImport={() => setDialog('import')} />,
            defaultSize: '60%',
            minSize: 380,
          },
        ]}
      />
      {dialog === 'generate' ? <GenerateDialog onClose={close} /> : null}
      {dialog === 'import' ? <ImportDialog onClose={close} /> : null}
    </>
  );
}

/** `#/keys/credentials/<environment>` and `#/keys/key/<id>` show what they name. */
function showAsked(rest: string): void {
  const [, kind, id] = /^(credentials|key)\/(.+)$/s.exec(rest) ?? [];
  if (id === undefined) return;
  useKeysStore.getState().choose(kind === 'key' ? { kind, id } : { kind: 'credentials', environment: id });
}

function Detail({ onGenerate, onImport }: { onGenerate: () => void; onImport: () => void }) {
  const selected = useKeysStore((state) => state.selected);
  const phase = useKeysStore((state) => state.phase);
  const error = useKeysStore((state) => state.error);
  const isUnlocked = useKeysStore((state) => state.vault?.state === 'unlocked');
  const keys = useKeysStore((state) => state.keys);
  const load = useKeysStore((state) => state.load);
  if (phase === 'loading' || phase === 'idle') return <Skeleton lines={6} />;
  if (error) return <LoadError error={error} className={styles.fault} onRetry={load} />;
  if (selected?.kind === 'inspect') return <InspectPane />;
  if (selected?.kind === 'vault' || !isUnlocked) return <VaultPane />;
  if (selected?.kind === 'token') {
    return <TokenDetail key={`${selected.environment}/${selected.product}`} section={selected} />;
  }
  if (selected?.kind === 'credentials') {
    return <CredentialsDetail key={selected.environment} environment={selected.environment} />;
  }
  const key = keys.find((one) => selected?.kind === 'key' && one.id === selected.id) ?? keys[0];
  if (key) return <KeyDetail key={key.id} summary={key} />;
  return (
    <EmptyView
      title="No keys yet"
      steps={[
        {
          title: 'Generate a key',
          text: 'RSA, 2048 bits or more, sealed in the vault of this machine.',
          action: mainButton('Generate a key', onGenerate),
        },
        {
          title: 'Or bring your own',
          text: 'A private key in PEM, PKCS#1 or PKCS#8, with its passphrase where it has one.',
          action: <Button onPress={onImport}>Import one</Button>,
        },
      ]}
    >
      Payouts and remittances are signed with an RSA key; its public half is registered with the service.
    </EmptyView>
  );
}
