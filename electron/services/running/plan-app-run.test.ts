import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { planAppRun } from './plan-app-run';

it('gives way to others while it plans thousands of requests', async () => {
  const directory = makeTemporaryFolder('plan');
  const block = '###\nPOST http://127.0.0.1:1/notes\nAuthorization: Basic {{user}} {{password}}\n\n{}\n';
  writeFileSync(join(directory, 'notes.http'), block.repeat(1000));
  const environment = { variables: { user: 'u', password: 'p' }, session: {}, label: 'Local' };
  let turns = 0;
  let isOver = false;
  const planned = planAppRun(
    { id: 'c', name: 'Notes', directory },
    { path: '', only: null },
    environment as unknown as Environment,
  ).finally(() => (isOver = true));
  for (; !isOver; turns += 1) await nextTurn();
  const { requests, prepared, faults } = await planned;
  expect(requests).toHaveLength(1000);
  expect(prepared).toHaveLength(1000);
  expect(faults).toEqual([]);
  // Four for what is read of the files, four for what is prepared of it.
  expect(turns).toBeGreaterThan(7);
});

it('advises a secret that nobody gives into no file', async () => {
  const directory = makeTemporaryFolder('plan');
  writeFileSync(join(directory, 'lacking.http'), 'GET http://127.0.0.1:1/{{bank}}\nX-Key: {{api_key}}\n');
  const environment = { variables: {}, session: {}, label: 'Local' };
  const { faults } = await planAppRun(
    { id: 'c', name: 'Lacking', directory },
    { path: '', only: null },
    environment as unknown as Environment,
  );
  const secret = faults[0]!.message.split('{{api_key}}:').at(-1);
  expect(faults[0]!.message).toContain('set it in “Local”, in the file');
  expect(secret).toContain('where the vault seals it');
  expect(secret).not.toContain('in the file');
});
