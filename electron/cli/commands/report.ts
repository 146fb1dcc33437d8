import { formatDuration } from '@shared/format-duration';
import { writeHtml, writeMarkdown } from '@shared/golive/write-report';
import { readDuration, readInstant } from '@shared/webhooks/filter/read-moment';
import { judgeFolder, settleRequestLog } from '../../lens/golive/read-evidence';
import { readClockOffset } from '../../sandbox/read-folder';
import { defineCommand } from '../command';
import { openServices, withServices } from '../open-services';
import { usageError } from '../usage-error';

/** By less, nobody takes one request for another. */
const CLOCKS_APART_MS = 1000;

function readSince(text: string | undefined): number {
  if (text === undefined) return 0;
  const spanMs = readDuration(text);
  const since = spanMs === null ? readInstant(text) : Date.now() - spanMs;
  if (since !== null) return since;
  throw usageError(
    `--since takes a span such as 10m or 2h, or a moment such as 2026-01-02T03:04, not '${text.slice(0, 40)}'.`,
  );
}

export const command = defineCommand({
  usage: 'report [--data DIR] [--since T] [--format md|html|json]',
  summary: 'Judge by the rules of the interface what your backend did in the sandbox or through the proxy.',
  notes: [
    'Evidence: the requests that countersign sandbox --data DIR and countersign proxy --data DIR kept there, also while they run.',
    'Exit code 1: a rule is broken. What was never exercised is not seen, with what would exercise it.',
  ],
  options: {
    data: {
      placeholder: 'DIR',
      help: "Folder of sandbox or proxy; the app's own where left out",
    },
    since: { placeholder: 'T', help: 'Only what came after: 10m, 2h, or 2026-01-02T03:04' },
    format: { placeholder: 'NAME', help: 'Form', choices: ['md', 'html', 'json'] },
  },
  async run(context, values) {
    const since = readSince(values.since);
    if (context.isJson && values.format !== undefined && values.format !== 'json')
      throw usageError(`--json and --format ${values.format} exclude each other.`);
    const format = values.format ?? (context.isJson ? 'json' : 'md');
    const services = openServices({ data: values.data, mustExist: true });
    const directory = services.ports.dataDirectory!;
    await settleRequestLog(directory);
    const own = await withServices(services, ({ listOwnCalls }) => listOwnCalls());
    const { rules, isCut } = judgeFolder(directory, since, own);
    const aheadMs = since === 0 ? 0 : readClockOffset(directory);
    if (aheadMs >= CLOCKS_APART_MS) {
      context.say(
        `The sandbox's clock is ${formatDuration(aheadMs)} ahead of this machine's, and --since goes by it for what the sandbox logged: requests from before may count. Without --since all count.`,
      );
    }
    if (format === 'json') context.printJson({ rules, cut: isCut });
    else {
      const text = (format === 'html' ? writeHtml : writeMarkdown)(rules);
      for (const line of text.split('\n')) context.print(line);
    }
    return rules.some(({ verdict }) => verdict === 'broken') ? 1 : 0;
  },
});
