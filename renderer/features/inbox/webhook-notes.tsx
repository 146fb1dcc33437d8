import { isLonger } from '@shared/is-longer';
import { LONGEST_NOTE, MOST_TAGS, tagPattern } from '@shared/webhooks/mark-limits';
import { noteUnsaved, useUnsaved } from '../../session/unsaved';
import { Button } from '../../ui/button';
import { ForeignText } from '../../ui/foreign-text';
import { formatExact } from '../../ui/format-time';
import { TextField } from '../../ui/text-field';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import { LOCAL, useMayMark } from './team/team-store';
import { listMeanwhile, typeNote, type Notes, type TypedNotes } from './notes-meanwhile';
import { mayNotMark } from './webhook-menu';
import styles from './inbox.module.css';

/** What the user wants to remember of a webhook. */
export function WebhookNotes({ webhook }: { webhook: WebhookDetail }) {
  const mark = useInboxStore((state) => state.mark);
  const { lastMark = null } = webhook;
  const store = useInboxStore((state) => state.store);
  const isLocal = store === LOCAL;
  const canMark = useMayMark(store);
  const form = `webhook/${store}/${webhook.id}`;
  const [typed, setTyped] = useUnsaved<TypedNotes>(form);
  const saved = { note: webhook.note, tags: webhook.tags.join(' ') };
  const { note, tags } = { ...saved, ...typed };
  const change = (what: keyof Notes) => (now: string) => setTyped(typeNote(typed, saved, what, now));
  const words = tags.split(/[\s,]+/).filter(Boolean);
  const fault =
    words.length > MOST_TAGS || words.some((word) => !tagPattern.test(word))
      ? 'At most 20 words of 40 letters.'
      : null;
  const noteFault = isLonger(note, LONGEST_NOTE)
    ? `At most ${LONGEST_NOTE.toLocaleString('en')} characters; these are ${Array.from(note).length.toLocaleString('en')}.`
    : null;
  const keep = async (): Promise<void> => {
    const marks = {
      ...(note !== saved.note && { note }),
      ...(tags !== saved.tags && { tags: words }),
    };
    if (await mark(webhook.id, marks)) noteUnsaved(form, null);
  };
  return (
    <form
      className={styles.notes}
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === null && noteFault === null) void keep();
      }}
    >
      <TextField label="Tags, parted by blanks" value={tags} onChange={change('tags')} fault={fault} />
      <TextField
        label={isLocal ? 'Note' : 'Note, for the team'}
        value={note}
        onChange={change('note')}
        fault={noteFault}
        rows={5}
      />
      {listMeanwhile(typed, saved).map(([what, now]) => (
        <p key={what} className={styles.told}>
          {`Not kept: meanwhile the ${what} became ${now === '' ? 'empty' : '“'}`}
          <ForeignText text={now} />
          {`${now === '' ? '' : '”'}. Keep puts yours in place of that.`}
        </p>
      ))}
      {lastMark ? (
        <p className={styles.told}>
          {'Last marked by '}
          <ForeignText text={lastMark.by} />
          {`, ${formatExact(lastMark.at)}`}
        </p>
      ) : null}
      <Button
        type="submit"
        obstacle={
          canMark
            ? (fault ?? noteFault ?? (note === saved.note && tags === saved.tags && 'Nothing is changed'))
            : mayNotMark
        }
      >
        Keep
      </Button>
    </form>
  );
}
