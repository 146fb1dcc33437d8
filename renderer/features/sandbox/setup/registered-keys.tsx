import { useState } from 'react';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { CopyButton, CopyText } from '../../../ui/copy-text';
import { FormDialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/text-field';
import { useSandboxStore } from '../sandbox-store';
import styles from '../sandbox.module.css';

/** Public keys whose signatures the sandbox accepts. */
export function RegisteredKeys() {
  const keys = useSandboxStore((store) => store.state?.publicKeys) ?? [];
  const [isAdding, setAdding] = useState(false);
  return (
    <section className={styles.section} aria-label="Registered keys">
      <header className={styles.sectionHead}>
        <h2>Registered public keys</h2>
        <Button onPress={() => setAdding(true)}>Register a key</Button>
      </header>
      {keys.length === 0 ? (
        <p className={styles.small}>None: every signature is refused until one is registered.</p>
      ) : (
        <ul className={styles.keys}>
          {keys.map((key) => (
            <li key={key.fingerprint}>
              <span>{`RSA ${key.bits}`}</span>
              <CopyText text={key.fingerprint} label="fingerprint" />
              <CopyButton
                label="Copy PEM"
                text={key.pem}
                name={`Copy the key ${key.fingerprint.slice(0, 8)}`}
              />
            </li>
          ))}
        </ul>
      )}
      {isAdding ? <RegisterDialog onClose={() => setAdding(false)} /> : null}
    </section>
  );
}

const modes = [
  { id: 'add', label: 'Beside the others' },
  { id: 'replace', label: 'Instead of the others' },
] as const;

function RegisterDialog({ onClose }: { onClose: () => void }) {
  const registerKeys = useSandboxStore((store) => store.registerKeys);
  const [pem, setPem] = useState('');
  const [mode, setMode] = useState<'add' | 'replace'>('add');
  return (
    <FormDialog
      title="Register a public key"
      isOpen
      onClose={onClose}
      submitLabel="Register"
      isSubmitDisabled={pem.trim() === ''}
      onSubmit={() => registerKeys({ pems: [pem], mode })}
    >
      <TextField
        label="Public key"
        isCode
        rows={7}
        value={pem}
        onChange={setPem}
        autoFocus
        placeholder="-----BEGIN PUBLIC KEY-----"
      />
      <Choice label="How" options={modes} selected={mode} onSelect={setMode} />
    </FormDialog>
  );
}
