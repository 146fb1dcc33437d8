import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDatabase } from './database';
import { RESCUE_BEGUN } from './rescue-act';

const apart = vi.hoisted(() => ({ program: '' }));
vi.mock('../workers/find-worker', () => ({ findWorker: () => pathToFileURL(apart.program) }));

/** A database that was not closed cleanly is opened, and looked at by a program of these lines. @returns what was said, and kept aside */
function openAfter(lines: string): { rows: number; said: string[]; aside: string[] } {
  const folder = makeTemporaryFolder('rescue-apart');
  apart.program = join(folder, 'look.mjs');
  writeFileSync(apart.program, lines);
  const said: string[] = [];
  const open = () =>
    openDatabase({
      file: join(folder, 'x.db'),
      migrations: [{ id: 1, name: 'notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;' }],
      rescue: { counted: { table: 'notes', noun: 'notes' }, onRescued: (message) => said.push(message) },
    });
  const first = open();
  first.exec('INSERT INTO notes VALUES (1)');
  first.close();
  rmSync(join(folder, 'x.db.closed'));
  const second = open();
  const rows = second.prepare('SELECT id FROM notes').all().length;
  second.close();
  return { rows, said, aside: readdirSync(folder).filter((name) => name.includes('damaged')) };
}

it('keeps a database as it is where nobody could look at it: the process did not come up', () => {
  const asItIs = { rows: 1, said: [], aside: [] };
  expect(openAfter('process.exit(1);')).toEqual(asItIs);
  expect(
    openAfter('console.error("Running as root without --no-sandbox is not supported."); process.abort();'),
  ).toEqual(asItIs);
});

it('takes a file for damaged that the process died over', () => {
  const begun = `import { writeSync } from 'node:fs'; writeSync(1, ${JSON.stringify(`${RESCUE_BEGUN}\n`)});`;
  expect(openAfter(`${begun} process.abort();`)).toMatchObject({
    rows: 0,
    aside: expect.arrayContaining(['x.db.damaged']),
  });
  expect(openAfter(`${begun} writeSync(1, '{"result":true}');`)).toMatchObject({ rows: 1, aside: [] });
});
