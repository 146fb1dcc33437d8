import type { Environment } from '@shared/contract/environments';
import { isSecretName } from '@shared/secrets';
import { useState } from 'react';
import { Button, TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { TextField } from '../../ui/text-field';
import { useAttempt } from '../../ui/use-attempt';
import { useEnvironmentsStore } from './environments-store';
import { ForeignText } from '../../ui/foreign-text';
import styles from './environments.module.css';

/** Values that go before all others until the app ends; nothing of them is written anywhere. */
export function SessionValues({ environment }: { environment: Environment }) {
  const setSessionValue = useEnvironmentsStore((state) => state.setSessionValue);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const { error, run } = useAttempt();
  const { id, session } = environment;
  const put = (of: string, to: string | null): Promise<void> =>
    run(async () => {
      await setSessionValue(id, of, to);
      if (to === null) return;
      setName('');
      setValue('');
    });
  return (
    <section className={styles.block} aria-label="Values for this run">
      <h3 className={styles.blockHead}>Values for this run</h3>
      <p className={styles.hint}>
        They go before those of files, environment and collection, and before what a run captures, until the
        app ends, and are written nowhere.
      </p>
      {Object.keys(session).length === 0 ? null : (
        <ul className={styles.secrets} aria-label="Values for this run">
          {Object.entries(session).map(([one, text]) => (
            <li key={one}>
              <code>
                <ForeignText text={one} />
              </code>
              <ForeignText
                className={styles.cut}
                text={isSecretName(one) ? '•••••••• (secret by its name)' : text}
              />
              <TextButton aria-label={`Take back ${one}`} onPress={() => void put(one, null)}>
                Take back
              </TextButton>
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles.session}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void put(name.trim(), value);
        }}
      >
        <TextField label="Name" isCode value={name} onChange={setName} placeholder="amount" />
        <TextField
          label="Value"
          isCode
          type={isSecretName(name) ? 'password' : 'text'}
          value={value}
          onChange={setValue}
        />
        <Button type="submit" obstacle={name.trim() === '' && 'Enter its name'}>
          Set
        </Button>
      </form>
      {error ? <ErrorLine error={error} /> : null}
    </section>
  );
}
