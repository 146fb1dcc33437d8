import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canCloseTerminal, endWithoutTerminal } from '../support/close-terminal';
import { electronCommand, expect, test } from './fixtures';

test('an app whose terminal has gone ends in order', () => {
  test.skip(!canCloseTerminal, 'There is no python3 to open a terminal with.');
  const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-e2e-terminal-'));
  const { executablePath, args } = electronCommand(dataDirectory);
  expect(endWithoutTerminal('"ready"', [executablePath, ...args])).toEqual(['0', '']);
  rmSync(dataDirectory, { recursive: true, force: true });
});
