import { join } from 'node:path';
import { AppError } from '@shared/errors';
import { isFileThere } from '../../platform/files/files';
import { openExchangeStore, proxyFile } from '../../lens/proxy/exchange-store';
import { describeEntry, describeWhole } from '../../lens/proxy/write-exchanges';
import { toPlainJson } from '@shared/plain-text';
import { defineCommand } from '../command';
import { openServices } from '../open-services';
import { writeArchive } from '../write-har';
import { proxyDataOption } from './proxy';

function* mapEach<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<U> {
  for (const item of items) yield change(item);
}

export const command = defineCommand({
  usage: 'proxy export [--format jsonl|har] [--data DIR]',
  summary: 'Write what passed the proxy to stdout, oldest first, bodies included, secrets masked.',
  options: {
    format: { placeholder: 'NAME', help: 'Form', choices: ['jsonl', 'har'], fallback: 'jsonl' },
    data: proxyDataOption,
  },
  async run(context, values) {
    const directory = openServices({ data: values.data, mustExist: true }).ports.dataDirectory!;
    if (!isFileThere(join(directory, proxyFile))) {
      throw new AppError(
        'cli.no_data',
        `No proxy has kept anything in ${directory}. Run countersign proxy --data there first.`,
      );
    }
    const store = openExchangeStore(directory, null);
    try {
      const exchanges = store.readSince(0);
      await context.printEach(
        values.format === 'har'
          ? writeArchive(mapEach(exchanges, describeEntry))
          : mapEach(exchanges, (exchange) => toPlainJson(describeWhole(exchange))),
      );
    } finally {
      store.close();
    }
    return 0;
  },
});
