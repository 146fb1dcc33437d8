import { useState } from 'react';
import { Button } from '../../ui/button';
import { ForeignText } from '../../ui/foreign-text';
import { formatExact } from '../../ui/format-time';
import { TextField } from '../../ui/text-field';
import type { WebhookDetail } from './inbox-state';
import { useInboxStore } from './inbox-store';
import { LOCAL, useMayMark } from './team/team-store';
import styles from './inbox.module.css';

/** What the user wants to remember of a webhook. */
export function WebhookNotes({ webhook }: { webhook: WebhookDetail }) {
  const mark = useInboxStore((state) => state.mark);
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  const canMark = useMayMark(useInboxStore((state) => state.store));
  const { lastMark = null } = webhook;
  const [note, setNote] = useState(webhook.note);
  const [tags, setTags] = useState(webhook.tags.join(' '));
  const words = tags.split(/[\s,]+/).filter(Boolean);
  const fault =
    words.length > 20 || words.some((word) => word.length > 40) ? 'At most 20 words of 40 letters.' : null;
  return (
    <form
      className={styles.notes}
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === null) void mark(webhook.id, { note: note.slice(0, 2000), tags: words });
      }}
    >
      <TextField label="Tags, parted by blanks" value={tags} onChange={setTags} fault={fault} />
      <TextField label={isLocal ? 'Note' : 'Note, for the team'} value={note} onChange={setNote} rows={5} />
      {lastMark ? (
        <p className={styles.told}>
          {'Last marked by '}
          <ForeignText text={lastMark.by} />
          {`, ${formatExact(lastMark.at)}`}
        </p>
      ) : null}
      <Button
        type="submit"
        isDisabled={!canMark || fault !== null || (note === webhook.note && tags === webhook.tags.join(' '))}
      >
        Keep
      </Button>
    </form>
  );
}
