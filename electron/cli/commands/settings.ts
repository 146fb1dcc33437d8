import { resolve } from 'node:path';
import { countOf } from '@shared/count-of';
import { decodeText } from '@shared/import/decode-text';
import { defineCommand } from '../command';
import { openServices, withServices } from '../open-services';
import { writeAgain } from '../write-output';

const MOST_BYTES = 4 * 1024 * 1024;

export const command = defineCommand({
  usage: 'settings export|import FILE [--data DIR] [--force]',
  summary: 'Write settings and environments to a file without secrets, or take them over.',
  notes: [
    'No key, credential, token or secret variable stands in the file; what was left out is listed.',
    'An environment that is there already is never changed by an import.',
  ],
  options: {
    data: { placeholder: 'DIR', help: "Data folder; the app's own where left out" },
    force: { type: 'flag', help: 'For export: replace a file that holds no exported settings' },
  },
  positionals: [
    { name: 'ACTION', isRequired: true, help: 'What to do', choices: ['export', 'import'] },
    { name: 'FILE', isRequired: true, help: 'The file; - is standard output or input' },
  ],
  async run(context, values, [action = '', file = '']) {
    const isExport = action === 'export';
    const services = openServices({ data: values.data, mustExist: isExport });
    return withServices(services, async ({ router }): Promise<0> => {
      if (isExport) {
        const { text, leftOut } = await router.call('settings.export', {});
        if (file === '-' && context.isJson) context.printJson(JSON.parse(text));
        else if (file === '-') context.print(text.trimEnd());
        else await writeAgain(file, text, { kind: '"countersign-settings"', isForced: values.force });
        for (const one of leftOut) context.say(`Left out: ${one}`);
        if (context.isJson && file !== '-')
          context.printJson({ event: 'exported', file: resolve(file), left_out: leftOut });
        return 0;
      }
      const bytes = await context.readInput(file, 'FILE', { maxBytes: MOST_BYTES });
      const text = decodeText(bytes, file === '-' ? 'standard input' : file);
      const { settings, environments, leftOut } = await router.call('settings.import', { text });
      if (context.isJson) context.printJson({ event: 'imported', settings, environments, left_out: leftOut });
      else
        context.print(
          `Took over ${countOf(settings.length, 'setting')} and ${countOf(environments.length, 'environment')}.`,
        );
      for (const one of leftOut) context.say(`Left out: ${one}`);
      return 0;
    });
  },
});
