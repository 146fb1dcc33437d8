import { resolve } from 'node:path';
import { countOf } from '@shared/count-of';
import { AppError } from '@shared/errors';
import { loadFolder, saveFolder } from '../../sandbox/snapshot-folder';
import { readSnapshotFile } from '../../sandbox/store/snapshot-file';
import { readBaseUrl } from '../../services/environments/base-url';
import { callAdmin } from '../call-admin';
import { defineCommand } from '../command';
import { openServices } from '../open-services';
import { usageError } from '../usage-error';
import { writeAgain } from '../write-output';

type Counts = Readonly<Record<string, number>>;

function countRows(snapshot: unknown): Counts {
  const { tables } = snapshot as { tables: Record<string, unknown[]> };
  const { payments = [], wallets = [], webhook_deliveries: webhooks = [] } = tables;
  return { payments: payments.length, wallets: wallets.length, webhooks: webhooks.length };
}

function needToken(baseUrl: string | undefined): AppError {
  return new AppError(
    'sandbox.folder_in_use',
    `The sandbox runs${baseUrl === undefined ? '' : ` at ${baseUrl}`}, and nothing was changed. Stop it, or give its admin token: --admin-token T or COUNTERSIGN_ADMIN_TOKEN.`,
  );
}

export const command = defineCommand({
  usage: 'sandbox snapshot save|load FILE [--data DIR | --base-url URL] [--admin-token T] [--force]',
  summary:
    "Write a sandbox's whole state to a file, or put it back: payments, wallets, keys, webhooks, clock.",
  notes: [
    'No secret stands in it: credentials and tokens stay those of the folder. Loading is all or nothing.',
    'A running sandbox loads with its admin token (or COUNTERSIGN_ADMIN_TOKEN), and reads the file itself.',
  ],
  options: {
    data: { placeholder: 'DIR', help: "Folder of the sandbox; the app's own where left out" },
    'base-url': { placeholder: 'URL', help: 'A running sandbox, in memory or not' },
    'admin-token': { placeholder: 'T', help: 'Token of the admin calls of a running sandbox' },
    force: { type: 'flag', help: 'To save: replace a file that is no snapshot' },
  },
  positionals: [
    { name: 'ACTION', isRequired: true, help: 'What to do', choices: ['save', 'load'] },
    { name: 'FILE', isRequired: true, help: 'The snapshot' },
  ],
  async run(context, values, [action = '', file = '']) {
    const path = resolve(file);
    const token = values['admin-token'] ?? (context.environment['COUNTERSIGN_ADMIN_TOKEN'] || undefined);
    const given = values['base-url'];
    const baseUrl = given === undefined ? undefined : readBaseUrl(given);
    if (baseUrl !== undefined && values.data !== undefined)
      throw usageError('--data and --base-url exclude each other.');
    if (baseUrl !== undefined && token === undefined) throw needToken(baseUrl);
    // To load is to make: a state that somebody gave starts a folder of its own.
    const directory = (): string =>
      openServices({ data: values.data, mustExist: action === 'save' }).ports.dataDirectory!;
    const askToLoad = async (url: string | undefined): Promise<void> => {
      if (url === undefined || token === undefined) throw needToken(url);
      await callAdmin({ baseUrl: url, token }, 'POST', 'snapshot', JSON.stringify({ file: path }));
    };
    let counts: Counts;
    if (action === 'save') {
      const snapshot =
        baseUrl === undefined
          ? saveFolder(directory())
          : await callAdmin({ baseUrl, token: token! }, 'GET', 'snapshot');
      const text = `${JSON.stringify(snapshot)}\n`;
      await writeAgain(path, text, { kind: '"countersign-sandbox-snapshot"', isForced: values.force });
      counts = countRows(snapshot);
    } else {
      const snapshot = readSnapshotFile(path);
      counts = countRows(snapshot);
      if (baseUrl !== undefined) await askToLoad(baseUrl);
      else {
        const holder = loadFolder(directory(), snapshot);
        if (holder !== null) await askToLoad(holder['baseUrl']);
      }
    }
    if (context.isJson)
      context.printJson({ event: action === 'save' ? 'saved' : 'loaded', file: path, ...counts });
    else
      context.print(
        `${action === 'save' ? 'Saved' : 'Loaded'} ${countOf(counts['payments'] ?? 0, 'payment')}: ${path}`,
      );
    return 0;
  },
});
