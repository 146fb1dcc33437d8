import { TextButton } from '../../../ui/button';
import styles from '../sandbox.module.css';

/** Beside what is typed and not in force. */
export function NotApplied({ onDiscard }: { onDiscard: () => void }) {
  return (
    <>
      <span className={styles.warn}>not applied</span>
      <TextButton onPress={onDiscard}>Discard</TextButton>
    </>
  );
}
