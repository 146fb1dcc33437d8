import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { RuleFiles } from './rule-files';

const folder = makeTemporaryFolder('rule-files');
const file = join(folder, 'answer-rules.json');

it('shows the beginning alone of a file that is too large', () => {
  writeFileSync(file, '{"version": 1');
  truncateSync(file, 2 ** 31 + 1);
  const { text, fault, count } = new RuleFiles(folder).read('main');
  expect(text).toMatch(/^\{"version": 1\0/);
  expect([text.length, count]).toEqual([256 * 1024, 0]);
  expect(fault).toBe(
    `The rules cannot be read: it is larger than 256 KiB. Correct ${file}, or take it away.`,
  );
});

it('does not wait for a pipe', () => {
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
  expect(new RuleFiles(folder).read('main')).toEqual({
    text: '',
    fault: expect.stringContaining('no plain file'),
    count: 0,
  });
});

it.skipIf(process.platform === 'win32')(
  'writes what a link leads to, with its permissions, and nothing over a link to nothing',
  () => {
    rmSync(file, { force: true });
    const shared = join(makeTemporaryFolder('team'), 'rules.json');
    symlinkSync(shared, file);
    const text = '{"version":1,"rules":[{"name":"a","answer":{"status":202}}]}';
    const rules = new RuleFiles(folder);
    expect(() => rules.write('main', text)).toThrow('is a link to something that is not there');
    expect(rules.read('main').fault).toContain('is a link to something that is not there');
    writeFileSync(shared, '', { mode: 0o644 });
    rules.write('main', text);
    expect([lstatSync(file).isSymbolicLink(), readFileSync(shared, 'utf8')]).toEqual([true, text]);
    expect(statSync(shared).mode & 0o777).toBe(0o644);
  },
);
