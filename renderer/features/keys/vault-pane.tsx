import type { VaultStatus } from '@shared/contract/vault';
import { useState } from 'react';
import { useSettings } from '../../session/settings-store';
import { navigate } from '../../session/routes';
import { Button, TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { Tag } from '../../ui/tag';
import { TextField } from '../../ui/text-field';
import { useAttempt } from '../../ui/use-attempt';
import { describeVault } from './keys-selectors';
import { useKeysStore } from './keys-store';
import styles from './keys.module.css';
import tones from '../../ui/tone.module.css';
import column from '../../ui/column.module.css';

const leastPassphrase = 8;

/** The vault itself: locked or open, what seals it, and its passphrase. */
export function VaultPane() {
  const vault = useKeysStore((state) => state.vault);
  const autoLockMinutes = useSettings((state) => state.settings.autoLockMinutes);
  if (vault === null) return null;
  const tone = vault.state === 'unlocked' ? 'good' : 'bad';
  return (
    <div className={column.scroll}>
      <PaneHeader title={<span>Vault</span>} isSubject />
      <FactList
        facts={[
          { label: 'State', value: <Tag tone={tone}>{vault.state}</Tag> },
          { label: 'Seal', value: describeVault(vault).split(', ').slice(1).join(', ') },
          { label: 'Keys', value: vault.keyCount },
          {
            label: 'Locks by itself',
            value: (
              <TextButton onPress={() => navigate('settings')}>
                {autoLockMinutes === 0 ? 'never; change' : `after ${autoLockMinutes} min; change`}
              </TextButton>
            ),
          },
        ]}
      />
      {vault.message ? (
        <ErrorLine
          className={styles.fault}
          tone={vault.state === 'unlocked' ? 'warn' : 'bad'}
          error={{ message: vault.message }}
        />
      ) : null}
      {vault.state === 'locked' ? (
        <UnlockForm hasPassphrase={vault.box === 'passphrase'} isShut={vault.message !== null} />
      ) : null}
      {vault.state === 'unlocked' ? <OpenVault vault={vault} /> : null}
    </div>
  );
}

/** @param isShut - what opens it without a passphrase is not there */
function UnlockForm({ hasPassphrase, isShut }: { hasPassphrase: boolean; isShut: boolean }) {
  const unlock = useKeysStore((state) => state.unlock);
  const [passphrase, setPassphrase] = useState('');
  const { error, isBusy, run } = useAttempt();
  return (
    <form
      className={styles.block}
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => unlock(passphrase));
      }}
    >
      <h3 className={styles.blockHead}>Unlock it to sign and to fetch tokens</h3>
      {hasPassphrase ? (
        <div className={styles.single}>
          <TextField
            label="Passphrase"
            type="password"
            value={passphrase}
            onChange={setPassphrase}
            autoFocus
          />
        </div>
      ) : null}
      <div className={styles.outcome}>
        <Button
          type="submit"
          variant="primary"
          autoFocus={!hasPassphrase}
          isDisabled={isBusy}
          obstacle={hasPassphrase && passphrase === '' && 'Enter the passphrase'}
        >
          Unlock
        </Button>
        {error ? <ErrorLine error={error} /> : null}
      </div>
      {hasPassphrase || isShut || error ? (
        <p className={styles.hint}>
          {hasPassphrase ? 'Forgotten' : 'Lost'}? Nothing else opens it. To begin anew without its keys,
          credentials and secret variables, end Countersign, move <code>vault.json</code> out of its data
          directory, and start it again: all else stays.
        </p>
      ) : null}
    </form>
  );
}

function OpenVault({ vault }: { vault: VaultStatus }) {
  const lock = useKeysStore((state) => state.lock);
  const { error, isBusy, run } = useAttempt();
  return (
    <>
      <div className={styles.block}>
        <div className={styles.outcome}>
          <Button isDisabled={isBusy} onPress={() => void run(lock)}>
            Lock now
          </Button>
          {error ? <ErrorLine error={error} /> : null}
        </div>
      </div>
      <PassphraseForm hasPassphrase={vault.box === 'passphrase'} />
    </>
  );
}

function PassphraseForm({ hasPassphrase }: { hasPassphrase: boolean }) {
  const setVaultPassphrase = useKeysStore((state) => state.setPassphrase);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [isDone, setDone] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const obstacle =
    hasPassphrase && current === ''
      ? 'Enter the present passphrase'
      : next.length < leastPassphrase
        ? `Enter a new one of at least ${leastPassphrase} characters`
        : next !== again && 'Enter the new one once more';
  const submit = async (): Promise<void> => {
    await setVaultPassphrase(hasPassphrase ? current : null, next);
    setCurrent('');
    setNext('');
    setAgain('');
    setDone(true);
  };
  return (
    <form
      className={styles.block}
      onSubmit={(event) => {
        event.preventDefault();
        if (!obstacle && !isBusy) void run(submit);
      }}
    >
      <h3 className={styles.blockHead}>
        {hasPassphrase ? 'Change the passphrase' : 'Seal it with a passphrase'}
      </h3>
      {hasPassphrase ? null : (
        <p className={styles.hint}>
          It is then asked for at each start. Nothing else opens the vault: with the passphrase forgotten, its
          keys, credentials and secret variables are lost.
        </p>
      )}
      <div className={styles.triple}>
        {hasPassphrase ? (
          <TextField label="Present passphrase" type="password" value={current} onChange={setCurrent} />
        ) : null}
        <TextField
          label="New passphrase"
          type="password"
          value={next}
          onChange={(value) => {
            setNext(value);
            setDone(false);
          }}
          fault={
            next !== '' && next.length < leastPassphrase ? `At least ${leastPassphrase} characters.` : null
          }
        />
        <TextField
          label="Once more"
          type="password"
          value={again}
          onChange={setAgain}
          fault={again !== '' && again !== next ? 'Not the same.' : null}
        />
      </div>
      <div className={styles.outcome}>
        <Button type="submit" isDisabled={isBusy} obstacle={obstacle}>
          {hasPassphrase ? 'Change it' : 'Seal it'}
        </Button>
        <span role="status" className={tones.good}>
          {isDone ? 'Done: the new passphrase is in force.' : ''}
        </span>
        {error ? <ErrorLine error={error} /> : null}
      </div>
    </form>
  );
}
