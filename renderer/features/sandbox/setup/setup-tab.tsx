import { useState } from 'react';
import { navigate } from '../../../session/routes';
import { TextButton } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { CopyButton } from '../../../ui/copy-text';
import { FaultsForm } from './faults-form';
import { RegisteredKeys } from './registered-keys';
import { writeSnippet, type SnippetKind } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import { SettingsForm } from './settings-form';
import styles from '../sandbox.module.css';

/** How one's own backend reaches the sandbox, and how it behaves. */
export function SetupTab() {
  const faults = useSandboxStore((store) => store.state?.faults);
  const settings = useSandboxStore((store) => store.state?.settings);
  return (
    <div className={styles.setup}>
      <div className={styles.column}>
        <Connect />
        <RegisteredKeys />
      </div>
      <div className={styles.column}>
        {settings ? <SettingsForm key={JSON.stringify(settings)} settings={settings} /> : null}
        {faults ? <FaultsForm key={JSON.stringify(faults)} faults={faults} /> : null}
      </div>
    </div>
  );
}

const snippets = [
  { id: 'env', label: 'Variables' },
  { id: 'curl', label: 'curl' },
  { id: 'docker', label: 'Container' },
] as const satisfies readonly { id: SnippetKind; label: string }[];

function Connect() {
  const baseUrl = useSandboxStore((store) => store.state?.baseUrl ?? '');
  const consumerKey = useSandboxStore((store) => store.state?.consumerKeyMasked ?? '');
  const [kind, setKind] = useState<SnippetKind>('env');
  const text = writeSnippet(kind, baseUrl);
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
      <p className={styles.small}>
        {`It takes the consumer key ${consumerKey} with a secret that is sealed and never shown. To use a pair of your own, `}
        <TextButton onPress={() => navigate('keys', 'credentials/local')}>replace the credentials</TextButton>
        {
          ' of the local sandbox, then restart it (the menu ⋯ above). Register the public key that your backend signs with below.'
        }
      </p>
    </section>
  );
}
