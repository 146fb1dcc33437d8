import { useAppStatus } from '../../../session/app-status';
import { Choice } from '../../../ui/choice';
import { readInsight } from '../requests-selectors';
import type { OpenTab } from '../requests-store';
import { readReferenceUse } from '../sending/ask-about-reference';
import { chooseReference } from '../sending/choose-reference';
import styles from './verdict.module.css';

const options = [
  { id: 'same', label: 'Same reference' },
  { id: 'new', label: 'New reference' },
] as const;

/** What the next send goes under: one reference is one payment. */
export function NextReference({ tab }: { tab: OpenTab }) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const use = readReferenceUse(tab, readInsight(tab, environment).prepared, environment?.id ?? null);
  if (use === null) return null;
  return (
    <>
      <div className={styles.next}>
        <span>Next send</span>
        <Choice
          label="Reference of the next send"
          options={options}
          selected={use.isSame ? 'same' : 'new'}
          onSelect={(id) => chooseReference(tab.id, id)}
        />
      </div>
      {use.isReuse ? (
        <p className={styles.reuse} role="alert">
          Same reference, another body: the service may ignore it as a duplicate.
        </p>
      ) : null}
    </>
  );
}
