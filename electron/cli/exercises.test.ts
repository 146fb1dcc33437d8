import { expect, it } from 'vitest';
import { quoteForShell } from '@shared/export/curl/quote-for-shell';
import { judgeBackend } from '@shared/golive/rules';
import { findCurlArguments } from '@shared/import/curl/shell-command';
import { splitBash } from '@shared/import/curl/split-bash';
import { commandList, findCommand } from './command-list';
import { parseArguments } from './option-table';

const folder = "/tmp/o'clock and more";
const cases = [null, 'http://127.0.0.1:4999'].flatMap((baseUrl) =>
  judgeBackend(
    { calls: [], webhooks: [], isCut: false },
    quoteForShell(folder, (name) => name),
    baseUrl,
  ).map(({ rule, exercise }) => [baseUrl === null ? 'with no sandbox' : 'beside a sandbox', rule, exercise]),
);

it.each(cases)('%s, what exercises %s can be run as it stands', async (where, _rule, exercise) => {
  const steps = exercise!.split(', then ');
  const written = steps.filter((step) => /^(?:countersign|curl) /.test(step));
  expect(written.length + steps.filter((step) => step.startsWith('have your backend ')).length).toBe(
    steps.length,
  );
  for (const step of written) {
    const [command] = splitBash(step.replace(/ \([^()]*\)$/, ''));
    if (step.startsWith('curl ')) {
      expect(findCurlArguments(command!)).not.toBe(null);
      continue;
    }
    const found = findCommand(command!.words.slice(1));
    if (found === null || !('name' in found)) throw new Error(`No command: ${step}`);
    const { command: loaded } = await commandList[found.name]!.load();
    const { values } = parseArguments(found.rest, loaded.options, loaded.positionals);
    if ('data' in values && values['data'] !== undefined) expect(values['data']).toBe(folder);
    // A second one on its folder would be refused.
    if (where === 'beside a sandbox') expect(found.name).not.toBe('sandbox');
  }
});
