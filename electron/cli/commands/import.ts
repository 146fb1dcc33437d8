import { resolve } from 'node:path';
import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { groupNotes } from '@shared/group-notes';
import { describeCounts } from '@shared/import/describe-counts';
import { decodeText } from '@shared/import/decode-text';
import { importFormatNames } from '@shared/import/import-formats';
import { maxImportBytes } from '@shared/import/max-import-bytes';
import { defineCommand, type CommandContext } from '../command';
import { openServices, withServices } from '../open-services';

const formats = ['auto', ...importFormatNames];

async function readSource(
  context: CommandContext,
  file: string,
): Promise<MethodInput<'imports.run'>['source']> {
  if (file !== '-') return { kind: 'path', path: resolve(file) };
  const bytes = await context.readInput('-', 'FILE', { maxBytes: maxImportBytes });
  return { kind: 'text', name: 'standard input', text: decodeText(bytes, 'standard input') };
}

function print(context: CommandContext, made: MethodOutput<'imports.run'>): void {
  const { requests, folders, environments, files, notes } = made;
  if (context.isJson) {
    context.printJson({ requests, folders, environments, files, notes });
    return;
  }
  context.say(describeCounts(made));
  for (const file of files) context.print(file);
  for (const { where, what } of groupNotes(notes)) context.say(`${where}: ${what}`);
}

export const command = defineCommand({
  usage: `import ${formats.join('|')} FILE|- --into DIR [--data DIR]`,
  summary: 'Make request files of what another tool exported; all of it, or nothing.',
  notes: [
    'FILE may be a folder of Bruno or OpenCollection. Credentials become variables and never stand in a file: their values go to the vault of --data, or are dropped with a note.',
  ],
  options: {
    into: {
      placeholder: 'DIR',
      help: 'Folder that takes the files; made where absent',
      isRequired: true,
    },
    data: { placeholder: 'DIR', help: 'Data directory whose vault takes the credentials' },
  },
  positionals: [
    { name: 'FORMAT', isRequired: true, help: 'What wrote it', choices: formats },
    { name: 'FILE', isRequired: true, help: 'What was exported, - for standard input' },
  ],
  async run(context, values, [word = '', file = '']) {
    const format = word as (typeof formats)[number];
    const source = await readSource(context, file);
    const services = openServices(values.data === undefined ? 'none' : { data: values.data });
    await withServices(services, async ({ router: { call } }) => {
      const target = { kind: 'directory', directory: resolve(values.into) } as const;
      print(context, await call('imports.run', { source, format, target }));
    });
    return 0;
  },
});
