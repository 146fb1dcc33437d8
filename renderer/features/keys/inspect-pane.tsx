import type { MethodOutput } from '@shared/contract/contract';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button, TextButton } from '../../ui/button';
import { ErrorLine, type ShownError } from '../../ui/error-line';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { TextField } from '../../ui/text-field';
import { labelEnvironment, useEnvironments } from '../../session/environments';
import { isEncryptedPem } from './keys-selectors';
import { useKeysStore } from './keys-store';
import { Fingerprint, PublicHalf } from './public-half';
import { useChosenFile } from '../../ui/use-chosen-file';
import { readKeyFile } from './read-key-file';
import styles from './keys.module.css';
import column from '../../ui/column.module.css';
import tones from '../../ui/tone.module.css';

type Inspection = MethodOutput<'keys.inspect'>;

/** Says what any key is, without keeping it. */
export function InspectPane() {
  const inspect = useKeysStore((state) => state.inspect);
  const [text, setText] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [inspection, setInspection] = useState<Inspection | null>(null);
  const [error, setError] = useState<ShownError | null>(null);
  const { fault, take } = useChosenFile();
  const needsPassphrase = isEncryptedPem(text) || Boolean(error?.code?.includes('passphrase'));
  const change = (next: string): void => {
    setText(next);
    setInspection(null);
    setError(null);
  };
  const run = async (): Promise<void> => {
    try {
      setInspection(await inspect(text, passphrase));
      setError(null);
    } catch (caught) {
      setInspection(null);
      setError(caught as ShownError);
    }
  };
  return (
    <div className={column.scroll}>
      <PaneHeader title={<span>Inspect any key</span>} isSubject />
      <form
        className={styles.block}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') void run();
        }}
      >
        <TextField
          label="A private or public key"
          isCode
          rows={7}
          value={text}
          onChange={change}
          placeholder="PEM, DER in Base64, with or without line breaks"
          help="It is read, described, and forgotten."
        />
        {needsPassphrase ? (
          <TextField
            label="Passphrase of the key"
            type="password"
            value={passphrase}
            onChange={setPassphrase}
          />
        ) : null}
        <div className={styles.outcome}>
          <Button
            type="submit"
            variant="primary"
            obstacle={text.trim() === '' && 'Paste a key, or open its file'}
          >
            Inspect
          </Button>
          <FileTrigger
            onSelect={(files) =>
              void take(files?.[0], readKeyFile).then((read) => read === null || change(read))
            }
          >
            <Button>Choose a file…</Button>
          </FileTrigger>
        </div>
        {fault === null ? null : <ErrorLine error={{ message: fault }} />}
        {error ? <ErrorLine error={error} /> : null}
      </form>
      <div role="status" className={tones.told}>
        {inspection ? <Findings inspection={inspection} /> : null}
      </div>
    </div>
  );
}

function Findings({ inspection }: { inspection: Inspection }) {
  const keys = useKeysStore((state) => state.keys);
  const choose = useKeysStore((state) => state.choose);
  const environments = useEnvironments((state) => state.environments);
  const own = keys.filter((key) => inspection.vaultKeyIds.includes(key.id));
  return (
    <>
      <FactList
        facts={[
          { label: 'It is', value: `a ${inspection.kind} key, ${inspection.format}` },
          { label: 'Size', value: `RSA ${inspection.bits}, exponent ${inspection.exponent}` },
          { label: 'Mended on reading', value: inspection.repairs.join(', ') || 'nothing' },
          {
            label: 'In the vault',
            value:
              own.length === 0
                ? 'no'
                : own.map((key) => (
                    <TextButton key={key.id} onPress={() => choose({ kind: 'key', id: key.id })}>
                      {key.name}
                    </TextButton>
                  )),
          },
          {
            label: 'Environments',
            value:
              inspection.environments.map((id) => labelEnvironment(id, environments)).join(', ') || 'none',
          },
        ]}
      />
      <Fingerprint fingerprint={inspection.fingerprint} />
      <PublicHalf pem={inspection.publicKeyPem} label="Public half" title="Public half" />
    </>
  );
}
