import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

test('the table of rules and tests is up to date', () => {
  const script = resolve(import.meta.dirname, '../../scripts/make-conformance-table.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});
