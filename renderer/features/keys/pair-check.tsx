import { useState } from 'react';
import { Button } from '../../ui/button';
import { ErrorLine, type ShownError } from '../../ui/error-line';
import { TextField } from '../../ui/text-field';
import { shortFingerprint } from './keys-selectors';
import { useKeysStore } from './keys-store';
import styles from './keys.module.css';
import tones from '../../ui/tone.module.css';

/** What was found of a text; under another one it says nothing. */
type Outcome = { of: string } & (
  | { kind: 'answer'; matches: boolean; fingerprint: string }
  | { kind: 'error'; error: ShownError }
);

/** Tells whether a public key (as registered somewhere) belongs to this private key. */
export function PairCheck({ keyId }: { keyId: string }) {
  const checkPair = useKeysStore((state) => state.checkPair);
  const [text, setText] = useState('');
  const [latest, setLatest] = useState<Outcome | null>(null);
  const outcome = latest?.of === text ? latest : null;
  const check = async (): Promise<void> => {
    try {
      setLatest({ of: text, kind: 'answer', ...(await checkPair(keyId, text)) });
    } catch (error) {
      setLatest({ of: text, kind: 'error', error: error as ShownError });
    }
  };
  return (
    <section className={styles.block} aria-label="Check a pair">
      <h3 className={styles.blockHead}>Does a public key belong to it?</h3>
      <TextField
        label="Public key, as the other side has it"
        isLabelHidden
        isCode
        rows={3}
        placeholder="Paste the public key that the other side has registered"
        value={text}
        onChange={setText}
      />
      <div className={styles.outcome}>
        <Button obstacle={text.trim() === '' && 'Paste a public key'} onPress={() => void check()}>
          Check the pair
        </Button>
        {outcome?.kind === 'error' ? <ErrorLine error={outcome.error} /> : null}
        <span role="status" className={tones.told}>
          {outcome?.kind === 'answer' ? (
            <span className={outcome.matches ? tones.good : tones.bad}>
              {outcome.matches
                ? 'It belongs to this key.'
                : `It belongs to another key, ${shortFingerprint(outcome.fingerprint)}: signatures of this one are refused there.`}
            </span>
          ) : null}
        </span>
      </div>
    </section>
  );
}
