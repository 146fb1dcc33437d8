import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { copyAction } from '../../../ui/copy-action';
import { CopyButton, CopyText } from '../../../ui/copy-text';
import { FormDialog } from '../../../ui/form-dialog';
import { groupFingerprint } from '../../../ui/group-fingerprint';
import { RowMenu } from '../../../ui/row-menu';
import { TextField } from '../../../ui/text-field';
import { ErrorLine } from '../../../ui/error-line';
import { useChosenFile } from '../../../ui/use-chosen-file';
import { useSandboxStore } from '../sandbox-store';
import shared from '../../../panels/exchange-pane.module.css';
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
        <p className={shared.small}>None: every signature is refused until one is registered.</p>
      ) : (
        <RowMenu
          label="Registered key"
          actionsOf={(id) => [
            copyAction('fingerprint', 'Copy the fingerprint', id),
            copyAction(
              'pem',
              'Copy the PEM',
              keys.find(({ fingerprint }) => fingerprint === id)?.pem ?? null,
            ),
          ]}
        >
          <ul className={styles.keys}>
            {keys.map((key) => (
              <li key={key.fingerprint} data-key={key.fingerprint}>
                <span>{`RSA ${key.bits}`}</span>
                <CopyText text={key.fingerprint} label="fingerprint">
                  {groupFingerprint(key.fingerprint)}
                </CopyText>
                <CopyButton
                  label="Copy PEM"
                  text={key.pem}
                  name={`Copy the key ${key.fingerprint.slice(0, 8)}`}
                />
              </li>
            ))}
          </ul>
        </RowMenu>
      )}
      {isAdding ? <RegisterDialog onClose={() => setAdding(false)} /> : null}
    </section>
  );
}

const modes = [
  { id: 'add', label: 'Beside the others' },
  { id: 'replace', label: 'Instead of the others' },
] as const;

/** As long as the back end takes. */
const MOST_CHARACTERS = 20_000;

/** What is plainly no public key is said at once, and goes nowhere. */
function findFault(text: string): string | null {
  if (text.trim() === '') return null;
  if (/PRIVATE KEY-----/.test(text)) {
    return 'This is a private key: nobody but you should have it, and it was not sent anywhere. Take its public half (BEGIN PUBLIC KEY).';
  }
  if (/BEGIN CERTIFICATE-----/.test(text)) {
    return 'This is a certificate. Take the public key out of it: openssl x509 -pubkey -noout -in FILE.';
  }
  if (/BEGIN RSA PUBLIC KEY-----/.test(text)) {
    return 'This is PKCS#1. Write it as SPKI: openssl rsa -RSAPublicKey_in -pubout -in FILE.';
  }
  if (text.length > MOST_CHARACTERS) return 'This is too long for a public key. Choose its PEM file.';
  return text.includes('-----BEGIN PUBLIC KEY-----')
    ? null
    : 'A public key in PEM begins with -----BEGIN PUBLIC KEY-----.';
}

function RegisterDialog({ onClose }: { onClose: () => void }) {
  const registerKeys = useSandboxStore((store) => store.registerKeys);
  const [pem, setPem] = useState('');
  const [mode, setMode] = useState<'add' | 'replace'>('add');
  const fault = findFault(pem);
  const { fault: unread, take } = useChosenFile();
  return (
    <FormDialog
      title="Register a public key"
      onClose={onClose}
      submitLabel="Register"
      obstacle={pem.trim() === '' ? 'Paste a public key' : fault}
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
        help="RSA, 2048 bits or more, X.509 SPKI in PEM."
        fault={fault}
      />
      <FileTrigger
        acceptedFileTypes={['.pem', '.pub', '.key', '.txt']}
        onSelect={(files) =>
          void take(files?.[0], (file) => file.text()).then((text) => text === null || setPem(text))
        }
      >
        <Button>Choose a file…</Button>
      </FileTrigger>
      {unread === null ? null : <ErrorLine error={{ message: unread }} />}
      <Choice label="How" options={modes} selected={mode} onSelect={setMode} />
    </FormDialog>
  );
}
