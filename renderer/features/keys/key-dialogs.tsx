import type { KeySummary } from '@shared/contract/vault';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { saveFile } from '../../ui/save-file';
import { Select } from '../../ui/select';
import { useSelectAtFirst } from '../../ui/select-at-first';
import { TextField } from '../../ui/text-field';
import { EnvironmentSelect } from './environment-select';
import { isEncryptedPem, keyFileName, pemType } from './keys-selectors';
import { useKeysStore } from './keys-store';
import { ErrorLine } from '../../ui/error-line';
import { useChosenFile } from '../../ui/use-chosen-file';
import { readKeyFile } from './read-key-file';
import styles from './keys.module.css';
import fields from '../../ui/field.module.css';

const leastPassphrase = 8;

const sizes = [
  { id: '2048', label: 'RSA 2048', detail: 'what the service asks for' },
  { id: '3072', label: 'RSA 3072' },
  { id: '4096', label: 'RSA 4096', detail: 'slower to sign' },
] as const;

/** A new pair. */
export function GenerateDialog({ onClose }: { onClose: () => void }) {
  const generate = useKeysStore((state) => state.generate);
  const [name, setName] = useState('');
  const [bits, setBits] = useState<string>('2048');
  const [environment, setEnvironment] = useState<string | null>(null);
  return (
    <FormDialog
      title="Generate a key"
      onClose={onClose}
      submitLabel="Generate"
      obstacle={name.trim() === '' && 'Enter a name'}
      onSubmit={async () => {
        await generate({
          name: name.trim(),
          bits: Number(bits) as 2048 | 3072 | 4096,
          environment,
        });
      }}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus placeholder="Sandbox 2026" />
      <div className={fields.pair}>
        <Select label="Size" options={sizes} selected={bits} onSelect={setBits} />
        <EnvironmentSelect value={environment} onChange={setEnvironment} />
      </div>
    </FormDialog>
  );
}

/** A key that exists already, from a paste or a file. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const importKey = useKeysStore((state) => state.importKey);
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [environment, setEnvironment] = useState<string | null>(null);
  const [isProtected, setProtected] = useState(false);
  const { fault, take } = useChosenFile();
  const needsPassphrase = isProtected || isEncryptedPem(text);
  const submit = async (): Promise<void> => {
    try {
      await importKey({
        name: name.trim(),
        text,
        ...(passphrase === '' ? {} : { passphrase }),
        environment,
      });
    } catch (error) {
      // Protected DER has no header that tells: the back end's answer does.
      if (String((error as { code?: unknown }).code).includes('passphrase')) setProtected(true);
      throw error;
    }
  };
  return (
    <FormDialog
      title="Import a key"
      onClose={onClose}
      submitLabel="Import"
      obstacle={name.trim() === '' ? 'Enter a name' : text.trim() === '' && 'Paste a key, or choose its file'}
      onSubmit={submit}
    >
      <div className={fields.pair}>
        <TextField label="Name" value={name} onChange={setName} autoFocus />
        <EnvironmentSelect value={environment} onChange={setEnvironment} />
      </div>
      <TextField
        label="Private key"
        isCode
        rows={7}
        value={text}
        onChange={setText}
        placeholder="-----BEGIN PRIVATE KEY-----"
        help="PKCS#8, PKCS#1 or DER; lost line breaks, quotes and \n are mended, and said."
      />
      <FileTrigger
        acceptedFileTypes={['.pem', '.key', '.der', '.p8', '.txt']}
        onSelect={(files) => {
          const file = files?.[0];
          void take(file, readKeyFile).then((read) => {
            if (read === null) return;
            setText(read);
            if (name === '') setName(file!.name.replace(/\.[^.]+$/, ''));
          });
        }}
      >
        <Button className={styles.fileButton}>Choose a file…</Button>
      </FileTrigger>
      {fault === null ? null : <ErrorLine error={{ message: fault }} />}
      {needsPassphrase ? (
        <TextField
          label="Passphrase of the key"
          type="password"
          value={passphrase}
          onChange={setPassphrase}
          help="Used once, to open the key; the vault has its own seal."
        />
      ) : null}
    </FormDialog>
  );
}

/** Another name for a key. */
export function RenameDialog({ summary, onClose }: { summary: KeySummary; onClose: () => void }) {
  const updateKey = useKeysStore((state) => state.updateKey);
  const [name, setName] = useState(summary.name);
  const selectAtFirst = useSelectAtFirst();
  return (
    <FormDialog
      title="Rename the key"
      onClose={onClose}
      submitLabel="Rename"
      obstacle={name.trim() === '' && 'Enter a name'}
      onSubmit={() => updateKey({ id: summary.id, name: name.trim() })}
    >
      <TextField label="Name" value={name} onChange={setName} onFocus={selectAtFirst} autoFocus />
    </FormDialog>
  );
}

/** Deletes a key once its name was typed. */
export function DeleteDialog({ summary, onClose }: { summary: KeySummary; onClose: () => void }) {
  const deleteKey = useKeysStore((state) => state.deleteKey);
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={`Delete “${summary.name}”?`}
      isDanger
      onClose={onClose}
      submitLabel="Delete the key"
      obstacle={typed !== summary.name && `Type ${summary.name}`}
      onSubmit={() => deleteKey(summary.id)}
    >
      <p className={styles.hint}>
        The private key is gone for good. What it has signed stays valid for as long as the service holds its
        public half.
      </p>
      <TextField label={`Type ${summary.name} to go on`} value={typed} onChange={setTyped} autoFocus />
    </FormDialog>
  );
}

/** Saves the private key under a passphrase, once its name was typed. */
export function ExportDialog({ summary, onClose }: { summary: KeySummary; onClose: () => void }) {
  const exportPrivate = useKeysStore((state) => state.exportPrivate);
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [typed, setTyped] = useState('');
  const isShort = passphrase.length < leastPassphrase;
  const isDifferent = again !== passphrase;
  return (
    <FormDialog
      title={`Export the private key of “${summary.name}”`}
      isDanger
      onClose={onClose}
      submitLabel="Export"
      obstacle={
        isShort
          ? `Enter a passphrase of at least ${leastPassphrase} characters`
          : isDifferent
            ? 'Enter the passphrase once more'
            : typed !== summary.name && `Type ${summary.name}`
      }
      onSubmit={async () => {
        const pem = await exportPrivate({ id: summary.id, passphrase, confirmName: typed });
        saveFile(keyFileName(summary.name, 'private-encrypted'), pem, pemType);
      }}
    >
      <p className={styles.hint}>
        Whoever has this file and its passphrase can sign as you. It is encrypted PKCS#8 PEM.
      </p>
      <div className={fields.pair}>
        <TextField
          label="Passphrase for the file"
          type="password"
          value={passphrase}
          onChange={setPassphrase}
          fault={passphrase !== '' && isShort ? `At least ${leastPassphrase} characters.` : null}
          autoFocus
        />
        <TextField
          label="Once more"
          type="password"
          value={again}
          onChange={setAgain}
          fault={again !== '' && isDifferent ? 'Not the same.' : null}
        />
      </div>
      <TextField label={`Type ${summary.name} to go on`} value={typed} onChange={setTyped} />
    </FormDialog>
  );
}
