import { expect, it } from 'vitest';
import { useAppStatus } from '../../../session/app-status';
import { useEnvironments } from '../../../session/environments';
import { readInsight, selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { listVariables } from './body-assist';

it('offers the variables of collection, environment, file and run, each with the value that counts', async () => {
  startFakeBackEnd({ 'a.http': '@own = file\n@both = file\nGET {{base_url}}/\n' });
  await openRequest('a.http');
  const { status } = useAppStatus.getState();
  const environment = { ...status!.environment, session: { run: 'run' } };
  useAppStatus.setState({ status: { ...status!, environment } });
  useEnvironments.setState({ shared: new Map([['c1', { team: 'collection', both: 'collection' }]]) });
  const tab = selectActiveTab(useRequestsStore.getState())!;
  const named = listVariables(readInsight(tab, environment)).filter(({ name }) => !name.startsWith('$'));
  expect(Object.fromEntries(named.map(({ name, detail }) => [name, detail]))).toMatchObject({
    base_url: 'http://127.0.0.1:4010',
    both: 'file',
    own: 'file',
    run: 'run',
    team: 'collection',
  });
});
