import { expect, it } from 'vitest';
import type { AppRun } from '@shared/contract/running';
import { tellRenamed } from '../../session/renamed-environments';
import { followRenames } from './follow-renames';
import { findSent, keepSent, type SentInput } from './sending/sent-requests';
import { useRunStore } from './run/run-store';
import { useRequestsStore, type OpenTab } from './requests-store';

it('keeps the key, the answer and run on show and trusted hosts of an environment that gets another name, and may send it again', () => {
  const keyChoice = { environment: 'data/uat', keyId: 'k', overrideConfirmation: null };
  const exchange = { id: 'e', environment: 'data/uat' };
  const tab = { id: 't', keyChoice, exchange } as OpenTab;
  const other = { id: 'o', keyChoice: { ...keyChoice, environment: 'local' }, exchange: null } as OpenTab;
  useRequestsStore.setState({ tabs: [tab, other], trustedHosts: [{ environment: 'data/uat', host: 'h' }] });
  keepSent('t', { exchangeId: 'e', input: { environment: 'data/uat' } as SentInput, seen: [] });
  useRunStore.setState({ run: { subject: { environment: 'data/uat' } } as AppRun });
  const stop = followRenames();
  tellRenamed({ from: 'data/uat', to: 'data/test' });
  stop();
  const { tabs, trustedHosts } = useRequestsStore.getState();
  expect(tabs).toMatchObject([
    { keyChoice: { environment: 'data/test' }, exchange: { environment: 'data/test' } },
    { keyChoice: { environment: 'local' }, exchange: null },
  ]);
  expect(trustedHosts).toEqual([{ environment: 'data/test', host: 'h' }]);
  expect(useRunStore.getState().run?.subject.environment).toBe('data/test');
  expect(findSent(tabs[0])?.input.environment).toBe('data/test');
});
