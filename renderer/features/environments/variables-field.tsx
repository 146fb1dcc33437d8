import type { Environment } from '@shared/contract/environments';
import { writeVaultReference } from '@shared/http-file/vault-reference';
import { useEffect, useState } from 'react';
import { TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { ErrorLine } from '../../ui/error-line';
import { Switch } from '../../ui/switch';
import { TextField } from '../../ui/text-field';
import { useAttempt } from '../../ui/use-attempt';
import { listSecretNames, readVariables } from './environment-fields';
import { useEnvironmentsStore } from './environments-store';
import { ForeignText } from '../../ui/foreign-text';
import styles from './environments.module.css';
import tones from '../../ui/tone.module.css';

/** The variables of an environment, and what becomes of those that are secret by their names. */
export function VariablesField({
  environment,
  text,
  onText,
  inClear,
  onInClear,
}: {
  environment: Environment | null;
  text: string;
  onText: (text: string) => void;
  inClear: readonly string[];
  onInClear: (inClear: string[]) => void;
}) {
  const { variables, fault } = readVariables(text);
  const names = listSecretNames(variables);
  return (
    <>
      <TextField
        label="Variables"
        isCode
        rows={4}
        value={text}
        onChange={onText}
        placeholder="callback_url = https://hooks.example.com/payments"
        help="One “name = value” a line, for {{name}} in requests. A password or key is sealed in the vault; {{vault.name}} stands for it."
        fault={fault}
      />
      {names.length === 0 ? null : (
        <ul className={styles.secrets} aria-label="Secret variables">
          {names.map((name) => (
            <li key={name}>
              <code>
                <ForeignText text={name} />
              </code>
              <Fate
                id={environment?.id ?? ''}
                name={name}
                value={variables[name] ?? ''}
                isClear={inClear.includes(name)}
              />
              <Switch
                isSelected={inClear.includes(name)}
                onChange={(isClear) =>
                  onInClear(isClear ? [...inClear, name] : inClear.filter((one) => one !== name))
                }
              >
                <span className={tones.faint}>
                  In the clear<span className={tones.unseen}>: {name}</span>
                </span>
              </Switch>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Fate({ id, name, value, isClear }: { id: string; name: string; value: string; isClear: boolean }) {
  if (isClear) return <span className={styles.warning}>stands in the clear in settings.json</span>;
  if (value === writeVaultReference(name)) return <SealedValue id={id} name={name} />;
  return <span className={tones.faint}>is sealed in the vault when you save</span>;
}

/** A value of the vault: hidden until asked for, then for ten seconds. */
function SealedValue({ id, name }: { id: string; name: string }) {
  const reveal = useEnvironmentsStore((state) => state.revealVariable);
  const [shown, setShown] = useState<{ value: string; hideAfterMs: number } | null>(null);
  const { error, run } = useAttempt();
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), shown.hideAfterMs);
    return () => clearTimeout(timer);
  }, [shown]);
  const show = (): Promise<void> => run(async () => setShown(await reveal(id, name)));
  if (error) return <ErrorLine error={error} />;
  return shown === null ? (
    <span>
      ••••••••{' '}
      <TextButton aria-label={`Show ${name} for ten seconds`} onPress={() => void show()}>
        Show it for ten seconds
      </TextButton>
    </span>
  ) : (
    <span>
      <CopyText text={shown.value} label={name} />{' '}
      <TextButton aria-label={`Hide ${name}`} onPress={() => setShown(null)}>
        Hide
      </TextButton>
    </span>
  );
}
