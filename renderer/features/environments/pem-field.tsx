import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useState } from 'react';
import { TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { TextField } from '../../ui/text-field';
import styles from './environments.module.css';

/** More than any chain of certificates has. */
const MOST_BYTES = 256 * 1024;

/** A block of PEM: pasted, or read from a file. */
export function PemField({
  label,
  value,
  onChange,
  help,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  help: string;
}) {
  const [error, setError] = useState<string | null>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MOST_BYTES)
      return setError(`${file.name} is larger than 256 KiB: it is no certificate or key.`);
    const text = await file.text();
    if (!text.includes('-----BEGIN '))
      return setError(`${file.name} is not PEM. Export it as PEM (Base64) first.`);
    setError(null);
    onChange(text);
  };
  return (
    <div className={styles.pem}>
      <TextField
        label={label}
        isCode
        rows={value === '' ? 1 : 4}
        value={value}
        onChange={onChange}
        placeholder="-----BEGIN …"
        help={help}
      />
      <FileTrigger onSelect={(files) => void read(files?.[0])}>
        <TextButton aria-label={`Choose a file: ${label}`}>Choose a file…</TextButton>
      </FileTrigger>
      {error ? <ErrorLine error={{ message: error }} /> : null}
    </div>
  );
}
