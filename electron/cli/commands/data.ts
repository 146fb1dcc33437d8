import { resolve } from 'node:path';
import { countOf } from '@shared/count-of';
import type { BackupFacts, DataOverview } from '@shared/contract/data';
import { RESET_WORD } from '@shared/contract/reset-word';
import { takeAppFolder } from '../../platform/files/app-folder';
import { dropPendingChange, makeChange } from '../../platform/files/pending-change';
import { describeLostKey } from '../../services/data/create-data-service';
import { defineCommand, type CommandContext } from '../command';
import { openServices, withServices } from '../open-services';
import { usageError } from '../usage-error';

const actions = ['show', 'backup', 'restore', 'move', 'reset'] as const;
type Action = (typeof actions)[number];

/**
 * Makes a change at once, with the folder held since before it was planned: another command would put its own in the place
 * of it, and what waits for the next start of an app that runs would be forgotten.
 */
async function changeNow<T>(directory: string, plan: () => Promise<T>): Promise<{ planned: T; now: string }> {
  const held = takeAppFolder(directory);
  const facts = { host: 'command' };
  try {
    held.tell(facts);
    const planned = await plan();
    try {
      return { planned, now: makeChange(directory) };
    } catch (error) {
      dropPendingChange(directory);
      throw error;
    }
  } finally {
    held.release(facts);
  }
}

const pendingTexts = {
  restore: 'a backup is put in',
  move: 'the data folder is moved',
  reset: 'everything is put aside',
} as const;

/** Also what a command was killed before that it was to do. */
function describePending({ kind, from, to }: NonNullable<DataOverview['pending']>): string {
  const what = from ?? to;
  return `when the app starts next, ${pendingTexts[kind]}${what === null ? '' : ` (${what})`}; countersign call data.keep calls it off`;
}

function tellBackup(context: CommandContext, event: 'backed_up' | 'restored', facts: BackupFacts): void {
  const { file, sizeBytes, fileCount, madeAt, madeOn, appVersion, secretsNote, leftOut } = facts;
  if (context.isJson) {
    context.printJson({
      event,
      file,
      size_bytes: sizeBytes,
      files: fileCount,
      made_at: madeAt,
      made_on: madeOn,
      app_version: appVersion,
      secrets: secretsNote,
      ...(event === 'restored' && { left_out: leftOut }),
    });
    return;
  }
  context.print(`${event === 'restored' ? 'Restored' : 'Backed up'} ${countOf(fileCount, 'file')}: ${file}`);
  context.say(secretsNote);
  for (const one of leftOut) context.say(`Left out, until you say it anew: ${one}`);
}

export const command = defineCommand({
  usage: 'data show|backup FILE|restore FILE|move DIR|reset [--confirm WORD] [--data DIR]',
  summary: 'Back up the data folder, restore, move or reset it.',
  notes: [
    'A backup is one file (tar, gzip), made while the app runs; keys and credentials in it stay sealed, and it says where they can be opened.',
    'Restore, move and reset want nothing else to use the folder. What was there is put aside in it (before-…), never deleted.',
    `reset wants --confirm ${RESET_WORD}. A move leaves a note, so that the old --data leads to the new folder.`,
  ],
  options: {
    data: { placeholder: 'DIR', help: "Data folder; the app's own where left out" },
    confirm: { placeholder: 'WORD', help: `For reset: the word ${RESET_WORD}` },
  },
  positionals: [
    { name: 'ACTION', isRequired: true, help: 'What to do', choices: actions },
    { name: 'PATH', isRequired: false, help: 'The backup, or the folder to move to' },
  ],
  async run(context, values, [word = '', given = '']) {
    const action = word as Action;
    if ((given === '') !== (action === 'show' || action === 'reset'))
      throw usageError(`data ${action} takes ${given === '' ? 'a PATH' : 'no PATH'}.`);
    const path = resolve(given);
    // A restore makes its folder: a new machine has none.
    const services = openServices({ data: values.data, mustExist: action !== 'restore' });
    const directory = services.ports.dataDirectory!;
    const call = services.router.call.bind(services.router);
    await withServices(services, async () => {
      if (action === 'backup') tellBackup(context, 'backed_up', await call('data.backup', { file: path }));
      if (action === 'show') {
        const { pending, aside, secretsNote } = await call('data.overview', {});
        if (context.isJson) context.printJson({ directory, pending, aside, secrets: secretsNote });
        else
          for (const line of [
            directory,
            ...(pending === null ? [] : [describePending(pending)]),
            ...aside.map((name) => `put aside: ${name}`),
            secretsNote,
          ])
            context.print(line);
      }
    });
    if (action === 'restore') {
      const { planned } = await changeNow(directory, () => call('data.restore', { file: path }));
      tellBackup(context, 'restored', {
        ...planned,
        secretsNote: describeLostKey(directory) ?? planned.secretsNote,
      });
    }
    if (action === 'move' || action === 'reset') {
      const { now } = await changeNow(directory, () =>
        action === 'move'
          ? call('data.move', { to: path })
          : call('data.reset', { word: values.confirm ?? '' }),
      );
      if (context.isJson) context.printJson({ event: action === 'move' ? 'moved' : 'reset', directory: now });
      else
        context.print(
          action === 'move'
            ? `Moved to ${now}`
            : `${directory} is empty now; what was there is put aside in it.`,
        );
    }
    return 0;
  },
});
