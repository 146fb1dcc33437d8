import { execFileSync } from 'node:child_process';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
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
