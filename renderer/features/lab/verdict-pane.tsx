import type { DoctorResult } from '@shared/contract/doctor';
import { nameCause } from '@shared/doctor/causes';
import { Check, Minus, X } from 'lucide-react';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { EmptyState } from '../../ui/empty-state';
import { EmptyView } from '../../ui/empty-view';
import { ErrorLine } from '../../ui/error-line';
import { formatDuration } from '../../ui/format-time';
import { Spinner } from '../../ui/spinner';
import { Tag } from '../../ui/tag';
import { Difference, ExampleDifference } from './difference';
import { groupFingerprint } from '../../ui/group-fingerprint';
import { joinWords, tagOf } from './lab-selectors';
import { chooseLonger } from './lab-diagnosis';
import { useLabStore } from './lab-store';
import { isReady } from './lab-state';
import { SigningCode } from './signing-code';
import styles from './lab.module.css';
import tones from '../../ui/tone.module.css';
import { mainButton } from '../../ui/main-button';
import column from '../../ui/column.module.css';

/** A sentence over this many characters is set smaller, so that the evidence stays in view. */
const longSentence = 120;

/** The right half: the verdict as one sentence, said once; then the evidence, then what to change. */
export function VerdictPane() {
  const result = useLabStore((state) => state.result);
  const phase = useLabStore((state) => state.phase);
  const error = useLabStore((state) => state.error);
  const shown = phase === 'canceled' || phase === 'failed' ? null : result;
  return (
    <div className={cx(column.scroll, styles.out)} aria-busy={phase === 'running'}>
      {phase === 'running' ? <Running /> : null}
      {error ? <ErrorLine error={error} /> : null}
      {phase === 'canceled' ? <Canceled /> : null}
      <div role="status" className={tones.told}>
        {shown ? <Sentence result={shown} isStale={phase === 'running'} /> : null}
      </div>
      {shown ? (
        <Evidence result={shown} isStale={phase === 'running'} />
      ) : phase === 'idle' ? (
        <Waiting />
      ) : null}
    </div>
  );
}

function Waiting() {
  const body = useLabStore((state) => state.body);
  const signature = useLabStore((state) => state.signature);
  const isAllThere = useLabStore(isReady);
  const diagnose = useLabStore((state) => state.diagnose);
  const tryExample = useLabStore((state) => state.tryExample);
  if (isAllThere) {
    return <EmptyState title="Ready" action={mainButton('Explain it', () => void diagnose())} />;
  }
  const missing = [
    body.trim() === '' ? 'the body' : null,
    signature.trim() === '' ? 'the signature' : null,
  ].filter((one) => one !== null);
  return (
    <EmptyView
      title={missing.length > 0 ? `Paste ${joinWords(missing)}` : 'Choose or paste the public key'}
      steps={[
        {
          title: 'See it at work',
          text: 'An amount that was written in one way and signed in another, with a key of this vault.',
          action: mainButton('Try an example', () => void tryExample()),
        },
      ]}
      example={<ExampleDifference />}
    >
      Why is a signature refused? The doctor applies the public key, reads which digest was signed, and
      searches for the string that gives it. Nothing leaves this machine.
    </EmptyView>
  );
}

function Running() {
  const progress = useLabStore((state) => state.progress);
  const cancel = useLabStore((state) => state.cancel);
  return (
    <div className={styles.running} role="status">
      <Spinner label="Searching" />
      <span>
        {progress
          ? `${progress.searched.toLocaleString('en')} candidate strings so far: ${progress.stage}`
          : 'Searching for what was signed'}
      </span>
      <TextButton onPress={() => void cancel()}>Cancel</TextButton>
    </div>
  );
}

function Canceled() {
  const diagnose = useLabStore((state) => state.diagnose);
  return (
    <EmptyState
      title="The search was canceled"
      action={<Button onPress={() => void diagnose()}>Search again</Button>}
    />
  );
}

interface Shown {
  result: DoctorResult;
  isStale: boolean;
}

function Sentence({ result, isStale }: Shown) {
  const tag = tagOf(result);
  return (
    <div className={cx(isStale && styles.stale)}>
      <div className={styles.tags}>
        <Tag tone={tag.tone}>{tag.text}</Tag>
        {result.causes.map((cause) => (
          <span key={cause.code} title={cause.code}>
            <Tag>{nameCause(cause.code)}</Tag>
          </span>
        ))}
      </div>
      <h2 className={cx(styles.sentence, result.explanation.length > longSentence && styles.long)}>
        {result.explanation}
      </h2>
    </div>
  );
}

function Evidence({ result, isStale }: Shown) {
  return (
    <div className={cx(styles.verdict, isStale && styles.stale)}>
      {isStale ? null : <SearchOn result={result} />}
      <Difference result={result} />
      <Checks result={result} />
      <p className={styles.searched}>
        {`${result.searched.toLocaleString('en')} candidate strings in ${formatDuration(result.elapsedMs)}`}
        {result.digestHex === null ? null : (
          <>
            {' · digest '}
            <CopyText text={result.digestHex} label="digest">
              {groupFingerprint(result.digestHex.slice(0, 16))}…
            </CopyText>
          </>
        )}
      </p>
      <SigningCode causes={result.causes} />
    </div>
  );
}

/** A search that was ended may go on: the sentence above has said how far it came. */
function SearchOn({ result: { planned = null } }: { result: DoctorResult }) {
  const mostMs = useLabStore((state) => state.mostMs);
  const searchOn = useLabStore((state) => state.searchOn);
  const nextMs = chooseLonger(mostMs);
  if (planned === null || nextMs === mostMs) return null;
  return (
    <div className={styles.searchOn}>
      <Button onPress={() => void searchOn()}>Search on</Button>
      <span>{`For up to ${formatDuration(nextMs)}; it can be canceled.`}</span>
    </div>
  );
}

function Checks({ result }: { result: DoctorResult }) {
  if (result.checks.length === 0) return null;
  return (
    <table className={styles.checks}>
      <thead>
        <tr>
          <th scope="col">Checked</th>
          <th scope="col">Finding</th>
          <th scope="col">
            <span className={tones.unseen}>Good</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {result.checks.map((check, index) => (
          <tr key={index}>
            <th scope="row">{check.name}</th>
            <td title={check.finding}>{check.finding}</td>
            <td>
              {check.isGood === null ? (
                <Minus size={13} className={tones.faint} aria-label="not decided" />
              ) : check.isGood ? (
                <Check size={13} className={tones.good} aria-label="good" />
              ) : (
                <X size={13} className={tones.bad} aria-label="not good" />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
