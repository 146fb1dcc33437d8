import { useEffect, useState } from 'react';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { CopyButton, CopyText } from '../../../ui/copy-text';
import { ConfirmDialog } from '../../../ui/form-dialog';
import { ErrorLine } from '../../../ui/error-line';
import { useAttempt } from '../../../ui/use-attempt';
import { useAppStatus } from '../../../session/app-status';
import { tokenPath, writeSnippet, type SnippetKind } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';
import { RegisteredKeys } from './registered-keys';
import message from '../../../panels/message-parts.module.css';
import { cx } from '../../../ui/cx';
import tones from '../../../ui/tone.module.css';

/** All that one's own backend needs to talk to this sandbox; everything takes effect at once. */
export function BackendTab() {
  const forget = useSandboxStore((store) => store.forgetBackendCredentials);
  // Who leaves has seen the secret.
  useEffect(() => forget, [forget]);
  return (
    <div className={styles.setup}>
      <div className={styles.column}>
        <Credentials />
        <RegisteredKeys />
      </div>
      <div className={styles.column}>
        <Snippets />
      </div>
    </div>
  );
}

function Credentials() {
  const baseUrl = useSandboxStore((store) => store.state?.baseUrl ?? '');
  const consumerKey = useSandboxStore((store) => store.state?.backendConsumerKey ?? null);
  const made = useSandboxStore((store) => store.madeCredentials);
  const make = useSandboxStore((store) => store.makeBackendCredentials);
  const [isAsking, setAsking] = useState(false);
  const { error, run } = useAttempt();
  return (
    <section className={styles.section} aria-label="Address and credentials">
      <header className={styles.sectionHead}>
        <h2>Address and credentials</h2>
        {consumerKey === null ? (
          <Button variant="primary" onPress={() => void run(make)}>
            Make credentials
          </Button>
        ) : (
          <Button onPress={() => setAsking(true)}>Make new ones…</Button>
        )}
      </header>
      <table className={cx(message.headers, styles.access)}>
        <tbody>
          <Value label="Base address" value={baseUrl} />
          <Value label="Token address" value={`${baseUrl}${tokenPath}`} />
          <Value label="Consumer key" value={made?.consumerKey ?? consumerKey} />
          <Value
            label="Consumer secret"
            value={made?.consumerSecret ?? null}
            otherwise={consumerKey === null ? 'none yet' : 'shown once, when it was made'}
          />
        </tbody>
      </table>
      <div role="status" className={tones.told}>
        {made ? (
          <p className={styles.warn}>
            Copy the secret now: it is kept as a digest alone, and gone when you leave this page.
          </p>
        ) : null}
      </div>
      {error ? <ErrorLine error={error} /> : null}
      <ConfirmDialog
        title="Make new credentials?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={make}
        confirmLabel="Make new ones"
      >
        The key and secret that your backend has now get no token any more. Tokens that it holds stay good
        until they expire.
      </ConfirmDialog>
    </section>
  );
}

function Value({
  label,
  value,
  otherwise = 'none yet',
}: {
  label: string;
  value: string | null;
  otherwise?: string;
}) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{value === null ? otherwise : <CopyText text={value} label={label.toLowerCase()} />}</td>
    </tr>
  );
}

const snippets = [
  { id: 'env', label: '.env' },
  { id: 'curl', label: 'curl' },
  { id: 'docker', label: 'Container' },
] as const satisfies readonly { id: SnippetKind; label: string }[];

function Snippets() {
  const baseUrl = useSandboxStore((store) => store.state?.baseUrl ?? '');
  const consumerKey = useSandboxStore((store) => store.state?.backendConsumerKey ?? null);
  const made = useSandboxStore((store) => store.madeCredentials);
  // Without a listener: where a backend of one's own may take webhooks.
  const listenerUrl = useAppStatus((state) => state.status?.listener.url) ?? 'http://127.0.0.1:8080';
  const [kind, setKind] = useState<SnippetKind>('env');
  const addresses = { baseUrl, listenerUrl };
  const text = writeSnippet(kind, addresses, made ?? (consumerKey === null ? {} : { consumerKey }));
  return (
    <section className={styles.section} aria-label="Point your backend at it">
      <header className={styles.sectionHead}>
        <h2>Point your backend at it</h2>
        <Choice label="As" options={snippets} selected={kind} onSelect={setKind} />
        <CopyButton text={text} name="Copy the snippet" />
      </header>
      <pre className={styles.snippet} tabIndex={0}>
        {text}
      </pre>
      <p className={shared.small}>
        Sign with a key of yours and register its public half here. What your backend sends shows under
        Requests, and its payments are journeys under Payments, with the webhooks that go to the listener.
      </p>
    </section>
  );
}
