import { useMemo, useState } from 'react';
import { navigate } from '../../session/routes';
import { TextButton } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { CopyButton } from '../../ui/copy-text';
import { ErrorLine } from '../../ui/error-line';
import { PaneHeader } from '../../ui/pane-header';
import { fitField } from '../../ui/fit-field';
import { refuseAtField } from '../../ui/refuse-long-paste';
import { Select } from '../../ui/select';
import { signedFieldClass, StringToSignSpans } from '../../ui/string-to-sign-spans';
import { TextField } from '../../ui/text-field';
import { WrapSwitch } from '../../ui/wrap-switch';
import { readBody, type LabBody } from './lab-selectors';
import { isEmpty } from './lab-state';
import { useLabStore } from './lab-store';
import { MarkedTextArea } from './marked-text-area';
import styles from './lab.module.css';
import column from '../../ui/column.module.css';

/** The left half: body, signature, key, and what the other side says. */
export function LabInputsPane() {
  return (
    <div className={column.rest}>
      <BodyInput />
      <SignatureInput />
      <KeyInput />
      <ClaimInput />
    </div>
  );
}

function BodyInput() {
  const body = useLabStore((state) => state.body);
  const origin = useLabStore((state) => state.origin);
  const change = useLabStore((state) => state.change);
  const clear = useLabStore((state) => state.clear);
  const isBlank = useLabStore(isEmpty);
  const reading = useMemo(() => readBody(body), [body]);
  const marks = useMemo(
    () =>
      reading?.kind === 'read'
        ? reading.string.spans.map((span) => ({
            start: span.bodyStart,
            end: span.bodyEnd,
            className: signedFieldClass(span.field),
          }))
        : [],
    [reading],
  );
  return (
    <>
      <PaneHeader title="Body" className={styles.inputHead}>
        {origin ? <span>{`from: ${origin}`}</span> : null}
        <WrapSwitch />
        <TextButton onPress={clear} obstacle={isBlank && 'All is empty'}>
          Clear all
        </TextButton>
      </PaneHeader>
      <MarkedTextArea
        label="Body, exactly as it was sent"
        value={body}
        marks={marks}
        faultLine={reading?.kind === 'refused' ? reading.line : null}
        placeholder="Paste the request body, exactly as it was sent"
        onChange={(next) => change({ body: next })}
      />
      <BodyStrip reading={reading} />
    </>
  );
}

function BodyStrip({ reading }: { reading: LabBody | null }) {
  if (reading === null) return null;
  return (
    <div className={styles.strip}>
      {reading.kind === 'refused' ? (
        <ErrorLine tone="warn" error={reading} />
      ) : (
        <>
          <span className={styles.caption}>String to sign</span>
          <StringToSignSpans
            text={reading.string.text}
            spans={reading.string.spans}
            className={styles.stripText}
          />
          <CopyButton text={reading.string.text} name="Copy the string to sign" />
        </>
      )}
    </div>
  );
}

function SignatureInput() {
  const signature = useLabStore((state) => state.signature);
  const change = useLabStore((state) => state.change);
  return (
    <>
      <PaneHeader title="Signature as received" className={styles.inputHead} />
      <textarea
        className={styles.raw}
        aria-label="Signature as received"
        rows={5}
        spellCheck={false}
        {...fitField(signature, (next) => change({ signature: next }), false)}
        placeholder="The value of X-Custom-Signature as it came: Base64, URL-safe, hex, quoted or wrapped"
        onPaste={refuseAtField}
        onChange={(event) => change({ signature: event.target.value })}
      />
    </>
  );
}

const keySources = [
  { id: 'vault', label: 'From the vault' },
  { id: 'pem', label: 'Paste' },
] as const;

function KeyInput() {
  const key = useLabStore((state) => state.key);
  const keys = useLabStore((state) => state.keys);
  const keysError = useLabStore((state) => state.keysError);
  const publicKeyPem = useLabStore((state) => state.publicKeyPem);
  const change = useLabStore((state) => state.change);
  const [lastId, setLastId] = useState('');
  const choose = (kind: 'vault' | 'pem'): void => {
    if (key.kind === 'vault') setLastId(key.id);
    change({ key: kind === 'pem' ? { kind } : { kind, id: lastId || (keys[0]?.id ?? '') } });
  };
  return (
    <>
      <PaneHeader title="Public key" className={styles.inputHead}>
        <Choice label="Public key from" options={keySources} selected={key.kind} onSelect={choose} />
      </PaneHeader>
      {key.kind === 'pem' ? (
        <textarea
          className={styles.raw}
          aria-label="Public key in PEM"
          rows={3}
          spellCheck={false}
          {...fitField(publicKeyPem, (next) => change({ publicKeyPem: next }), false)}
          placeholder="-----BEGIN PUBLIC KEY-----"
          onPaste={refuseAtField}
          onChange={(event) => change({ publicKeyPem: event.target.value })}
        />
      ) : keysError ? (
        <ErrorLine error={keysError} className={styles.fault}>
          <TextButton onPress={() => navigate('keys')}>Keys and tokens</TextButton>
        </ErrorLine>
      ) : (
        <div className={styles.keyChoice}>
          <Select
            label="Key of the vault"
            isLabelHidden
            options={keys.map(({ id, name, bits, fingerprint }) => ({
              id,
              label: name,
              detail: `RSA ${bits}, SHA-256 ${fingerprint.slice(0, 12)}…`,
            }))}
            selected={key.id === '' ? null : key.id}
            onSelect={(id) => change({ key: { kind: 'vault', id } })}
          />
          <span className={styles.caption}>
            {keys.length > 1 ? `all ${keys.length} keys of the vault are tried` : ''}
          </span>
        </div>
      )}
    </>
  );
}

function ClaimInput() {
  const claimedString = useLabStore((state) => state.claimedString);
  const change = useLabStore((state) => state.change);
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && claimedString === '') {
    return (
      <div className={styles.claim}>
        <TextButton onPress={() => setOpen(true)}>
          Add the string that the other side says it signed
        </TextButton>
      </div>
    );
  }
  return (
    <div className={styles.claim}>
      <TextField
        label="What the other side says it signed"
        isCode
        rows={2}
        value={claimedString}
        onChange={(next) => change({ claimedString: next })}
        autoFocus={claimedString === ''}
      />
    </div>
  );
}
