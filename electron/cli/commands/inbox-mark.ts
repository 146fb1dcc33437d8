import { isLonger } from '@shared/is-longer';
import { LONGEST_NOTE } from '@shared/webhooks/mark-limits';
import { defineCommand } from '../command';
import { dataOption, storeNotes, storeOption, withInbox } from '../stored-webhooks';
import { notThere, usageError } from '../usage-error';

/** Reads which of two flags was given; undefined: neither. */
function chooseOne(values: Readonly<Record<string, unknown>>, on: string, off: string): boolean | undefined {
  if (values[on] === true && values[off] === true) throw usageError(`Say --${on} or --${off}, not both.`);
  return values[on] === true ? true : values[off] === true ? false : undefined;
}

function readTags(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const tags = text.split(/[\s,]+/).filter((tag) => tag !== '');
  if (tags.length <= 20 && !tags.some((tag) => isLonger(tag, 40))) return tags;
  throw usageError('--tags takes at most 20, each of at most 40 characters.');
}

export const command = defineCommand({
  usage:
    'inbox mark ID… [--pin|--unpin] [--read|--unread] [--note TEXT] [--tags A,B] [--delete] [--data DIR|--store URL]',
  summary: 'Pin webhooks, note something at them, mark them read, or delete them.',
  notes: [
    'What is left out stays as it is; an empty --note or --tags takes it away. Pinned ones stay whatever --keep-… says.',
    'Exit code 1 where one of them was not there.',
    ...storeNotes,
  ],
  options: {
    data: dataOption,
    store: storeOption,
    pin: { type: 'flag', help: 'Keep them for good' },
    unpin: { type: 'flag', help: 'Keep them no longer than others' },
    read: { type: 'flag', help: 'Mark them read' },
    unread: { type: 'flag', help: 'Mark them unread' },
    note: { placeholder: 'TEXT', help: 'A note, up to 2000 characters', mayBeEmpty: true },
    tags: {
      placeholder: 'A,B',
      help: 'Tags, parted by commas or blanks, in place of those before',
      mayBeEmpty: true,
    },
    delete: { type: 'flag', help: 'Delete them, for good' },
  },
  positionals: [{ name: 'ID', isRequired: true, isList: true, help: 'As `inbox list` tells them' }],
  async run(context, values, given) {
    const ids = [...new Set(given)];
    const isPinned = chooseOne(values, 'pin', 'unpin');
    const isRead = chooseOne(values, 'read', 'unread');
    const { note } = values;
    const tags = readTags(values.tags);
    const isNoted = isPinned !== undefined || note !== undefined || tags !== undefined;
    if (isNoted || isRead !== undefined ? values.delete : !values.delete) {
      throw usageError(
        'Say what to do with them: --pin, --read, --note TEXT, --tags A,B …, or --delete alone.',
      );
    }
    if (note !== undefined && isLonger(note, LONGEST_NOTE))
      throw usageError(`--note takes at most ${LONGEST_NOTE} characters.`);
    if (ids.length > 1000) throw usageError('At most 1000 webhooks are marked at once.');
    const count = await withInbox(values, async ({ router: { call } }) => {
      if (values.delete) return (await call('inbox.delete', { ids })).deletedCount;
      const read = isRead === undefined ? null : await call('inbox.markRead', { ids, isRead });
      if (isNoted) return (await call('inbox.mark', { ids, isPinned, note, tags })).changedCount;
      return read?.foundCount ?? 0;
    });
    const what = values.delete ? 'deleted' : 'marked';
    if (context.isJson) context.printJson({ event: what, count });
    if (count < ids.length)
      throw notThere(`${count} of ${ids.length} ${what}: the rest is not in this inbox.`);
    if (!context.isJson) context.say(`${count} of ${ids.length} ${what}.`);
    return 0;
  },
});
