import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { planAppRun } from './plan-app-run';

const given = (chosen: object, ...others: readonly object[]) => ({
  environment: chosen as Environment,
  environments: [chosen, ...others] as Environment[],
});

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
    given(environment),
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
    given(environment),
  );
  const secret = faults[0]!.message.split('{{api_key}}:').at(-1);
  expect(faults[0]!.message).toContain('set it in “Local”, in the file');
  expect(secret).toContain('where the vault seals it');
  expect(secret).not.toContain('in the file');
});

it('names the environment that has what the chosen one lacks, whatever it may mean in another client; no stranger’s and no production', async () => {
  const directory = makeTemporaryFolder('plan');
  writeFileSync(
    join(directory, 'lacking.http'),
    'GET http://127.0.0.1:1/{{bank}}\nX: {{api_token}} {{rest}}\n',
  );
  const chosen = { id: 'local', kind: 'local', variables: {}, session: {}, label: 'Local' };
  const shop = { id: 'data/Shop', kind: 'sandbox', label: 'Shop', variables: { api_token: '{{vault.x}}' } };
  const team = { id: 'c/Team', kind: 'sandbox', label: 'Team', variables: { bank: '1' } };
  const live = { id: 'data/live', kind: 'production', label: 'Live', variables: { rest: '1' } };
  const foreign = { id: 'd/Other', kind: 'sandbox', label: 'Other', variables: { rest: '1' } };
  const { faults } = await planAppRun(
    { id: 'c', name: 'Lacking', directory },
    { path: '', only: null },
    given(chosen, shop, team, live, foreign),
  );
  expect(faults[0]!.message).toContain(
    '{{api_token}}: among the variables of “Shop”: choose that environment',
  );
  expect(faults[0]!.message).toContain('{{bank}}: among the variables of “Team”: choose that environment');
  expect(faults[0]!.message).toContain('{{rest}}: set it in “Local”');
  expect(faults[0]!.message).not.toMatch(/token\.payout|“Live”|“Other”/);
});
