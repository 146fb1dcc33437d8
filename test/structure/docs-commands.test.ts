import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportFormatNames } from '@shared/export/export-formats';
import { payoutFields, type FieldRule } from '@shared/payments/tables/fields';
import { importFormatNames } from '@shared/import/import-formats';
import { describeCommands } from '../../electron/cli/completion/describe-commands';
import { commandList } from '../../electron/cli/command-list';
import { listBlocks, listPages, readMeaning } from '../support/docs-blocks';

/** Programs that a reader would start: such a line outside of a `sh` block is a command that no test runs. */
const command =
  /^\s*(?:\$ )?(?:[A-Z_]+=\S* )*(?:countersign|npm|npx|node|newman|httpyac|curl|openssl|git) [^\n]*/m;

describe('the docs', () => {
  it('name each command in the table of the command line', () => {
    const table = readFileSync('docs/command-line.md', 'utf8').match(/^\| `.*\|$/gm) ?? [];
    const named = table.flatMap((row) =>
      [...row.split('|')[1]!.matchAll(/`([a-z-]+)`/g)].map(([, word]) => word),
    );
    const commands = new Set(Object.keys(commandList).map((name) => name.split(' ')[0]));
    expect([...commands].filter((word) => !named.includes(word))).toEqual([]);
  });

  it('name each option of each command in its part of the reference', async () => {
    const parts = readFileSync('docs/options.md', 'utf8').split(/^## countersign /m);
    const unnamed = (await describeCommands()).flatMap(({ name, options }) => {
      const part = parts.find((text) => text.startsWith(`${name}\n`)) ?? '';
      return options
        .map(([option]) => `--${option}`)
        .filter((option) => !new RegExp(`\`${option}[ \`]`).test(part));
    });
    expect(unnamed).toEqual([]);
  });

  it('name for a build server what its ready files read, and nothing else', () => {
    const readNames = (file: string): string[] =>
      [...new Set(readFileSync(file, 'utf8').match(/(?<![A-Z_])PAYMENTS_[A-Z_]+/g))].toSorted();
    const named = readNames('docs/ci.md');
    expect(named).toContain('PAYMENTS_KEY_PASSPHRASE');
    for (const file of ['github-actions.yml', 'gitlab-ci.yml'])
      expect(readNames(`resources/ci/${file}`)).toEqual(named);
  });

  it('name, for one’s own backend, what a payout must have', () => {
    const page = readFileSync('docs/backend.md', 'utf8');
    const told = [...page.matchAll(/^\| `(transaction|originator|recipient)` +\| (.+?) *\|$/gm)].map(
      ([, part, fields]) => [part, [...fields!.matchAll(/`(\w+)`/g)].map(([, name]) => name)],
    );
    const namesOf = (fields: readonly FieldRule[] = []): string[] =>
      fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const parts = payoutFields.filter(({ fields }) => fields !== undefined);
    expect(told).toEqual(parts.map(({ name, fields }) => [name, namesOf(fields)]));
  });

  it('say by its own words what the first start shows, and where the tree is', () => {
    const [told, shown] = ['docs/start.md', 'renderer/features/help/welcome.tsx'].map((path) =>
      readFileSync(path, 'utf8'),
    );
    for (const words of ['Welcome', 'Send it']) {
      expect(told).toContain(`_${words}_`);
      expect(shown).toMatch(new RegExp(`['"]${words}`));
    }
    expect(told).toContain('**Requests** (Ctrl+1)');
  });

  it('name each format that is read or written where they name its command', () => {
    const read = readFileSync('docs/import.md', 'utf8');
    expect(read).toContain(`countersign import auto|${importFormatNames.join('|')} FILE`);
    expect([...read.matchAll(/^\| ([a-z]+) /gm)].map(([, name]) => name)).toEqual(importFormatNames);
    const written = readFileSync('docs/export.md', 'utf8');
    expect(written).toContain(`countersign export DIR --format ${exportFormatNames.join('|')} `);
  });

  it.each(listPages())('has each command of %s in a block that a test runs, or that says why not', (page) => {
    const blocks = listBlocks(page);
    const unread = blocks.filter(({ language, info }) => language === 'sh' && !readMeaning(info));
    expect(unread.map(({ place, info }) => `${place}: ${info}`)).toEqual([]);
    const missed = blocks.filter(({ language, code }) => language === '' && command.test(code));
    expect(missed.map(({ place, code }) => `${place}: ${command.exec(code)![0].trim()}`)).toEqual([]);
  });

  it('is read with its fences, its indented blocks and its comments', () => {
    const text = 'a\n\n```sh stays\nx\n```\n\n    npm ci\n\n<!--\n```sh exits 1\ny\n```\n-->\n';
    expect(listBlocks('p', text).map(({ place, info, code }) => [place, info, code])).toEqual([
      ['p:3', 'stays', 'x\n'],
      ['p:10', 'exits 1', 'y\n'],
      ['p:7', '', '    npm ci\n'],
    ]);
    expect(readMeaning('not run:')).toBeUndefined();
    expect(readMeaning('not run: needs a display')).toEqual({ kind: 'not run', reason: 'needs a display' });
  });
});
