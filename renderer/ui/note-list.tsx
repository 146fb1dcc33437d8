import { groupNotes } from '@shared/group-notes';
import { CopyButton } from './copy-text';
import { ForeignText } from './foreign-text';
import styles from './note-list.module.css';

interface Note {
  /** The file, request or environment that it is of. */
  where: string;
  what: string;
}

/** More than these nobody reads at once. */
const maxShown = 200;

/** What became something else, or was left out, on the way from one tool to another; all of it can be copied. */
export function NoteList({ label, notes }: { label: string; notes: readonly Note[] }) {
  const groups = groupNotes(notes);
  return (
    // It scrolls: the keyboard must reach it.
    <ul className={styles.notes} aria-label={label} tabIndex={0}>
      {groups.slice(0, maxShown).map(({ where, what }) => (
        <li key={`${where} ${what}`}>
          <ForeignText className={styles.where} text={where} /> <ForeignText text={what} hasCode />
        </li>
      ))}
      {groups.length > maxShown || groups.length < notes.length ? (
        <li>
          {groups.length > maxShown ? `And ${groups.length - maxShown} more. ` : null}
          <CopyButton label={`Copy all ${notes.length}`} text={() => printNotes(notes)} />
        </li>
      ) : null}
    </ul>
  );
}

const printNotes = (notes: readonly Note[]): string =>
  notes.map(({ where, what }) => `${where}\t${what}`).join('\n');
