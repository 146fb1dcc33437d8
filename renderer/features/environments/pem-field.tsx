import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useState } from 'react';
import { TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { TextField } from '../../ui/text-field';
import { useChosenFile } from '../../ui/use-chosen-file';
import styles from './environments.module.css';

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
  const { fault, take } = useChosenFile();
  const read = async (file: File | undefined): Promise<void> => {
    setError(null);
    const text = await take(file, (one) => one.text());
    if (text === null || file === undefined) return;
    if (text.includes('-----BEGIN ')) onChange(text);
    else setError(`${file.name} is not PEM. Export it as PEM (Base64) first.`);
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
      {(fault ?? error) ? <ErrorLine error={{ message: (fault ?? error)! }} /> : null}
    </div>
  );
}
