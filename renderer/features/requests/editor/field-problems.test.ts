import { expect, it } from 'vitest';
import { usualProfile, usualSetup } from '@shared/contract/usual-setup';
import { writeNewRequest } from '@shared/http-file/new-request';
import { useAppStatus } from '../../../session/app-status';
import { readInsight, selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { readFixSources } from './body-assist';
import { listFieldProblems } from './field-problems';

async function listFixes(text: string): Promise<string[][]> {
  startFakeBackEnd({ 'a.http': text });
  await openRequest('a.http');
  const environment = useAppStatus.getState().status!.environment;
  const insight = readInsight(selectActiveTab(useRequestsStore.getState())!, environment);
  return listFieldProblems(insight, readFixSources(insight)).map(({ fixes }) =>
    fixes.map(({ label }) => label),
  );
}

it('mends a time that a variable writes in the wrong form by the variable that writes it right', async () => {
  const payout = writeNewRequest({ name: 'x', operation: 'payout' });
  expect(await listFixes(payout.replace('$isoTimestamp', '$timestamp'))).toEqual([
    ['Write {{$isoTimestamp}}'],
  ]);
  const remittance = writeNewRequest({ name: 'x', operation: 'remittance' });
  expect(await listFixes(remittance.replace(/\$datetime [^}]*/, '$isoTimestamp'))).toEqual([
    ["Write {{$datetime 'YYYY-MM-DD HH:mm:ss'}}"],
  ]);
  // Of what the file itself defines, the value is mended there.
  expect(await listFixes(`@code = kes\n${payout.replace('"KES"', '"{{code}}"')}`)).toEqual([[]]);
});

it('asks the token call for the fields that the profile of the environment names, and for no others', async () => {
  startFakeBackEnd({
    'a.http': 'POST {{base_url}}/auth/v1/token\n\n{"consumer_key": "k", "consumer_secret": "s"}\n',
  });
  await openRequest('a.http');
  const list = (requestNames: typeof usualProfile.requestNames): string[] => {
    const status = useAppStatus.getState().status!;
    const setup = { ...usualSetup, profile: { ...usualProfile, requestNames } };
    const environment = { ...status.environment, setup };
    useAppStatus.setState({ status: { ...status, environment } });
    const insight = readInsight(selectActiveTab(useRequestsStore.getState())!, environment);
    return listFieldProblems(insight, readFixSources(insight)).map(({ message }) => message);
  };
  expect(list(usualProfile.requestNames)).toEqual([expect.stringContaining('product is required')]);
  expect(list({ ...usualProfile.requestNames, product: '' })).toEqual([]);
});
