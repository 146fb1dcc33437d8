import { whenRenamed } from '../../session/renamed-environments';
import { useRequestsStore, type OpenTab } from './requests-store';
import { useRunStore } from './run/run-store';
import { followRenameOfSent } from './sending/sent-requests';

/** Has the chosen key, the answer and the run on show, and hosts that are trusted, stay those of an environment that gets another name. */
export function followRenames(): () => void {
  return whenRenamed((from, to) => {
    followRenameOfSent(from, to);
    useRunStore.setState(({ run }) => ({
      run: run && { ...run, subject: moved(run.subject, from, to) },
    }));
    useRequestsStore.setState(({ tabs, trustedHosts }) => ({
      tabs: tabs.map((tab) => renameIn(tab, from, to)),
      trustedHosts: trustedHosts.map((one) => moved(one, from, to)),
    }));
  });
}

const renameIn = (tab: OpenTab, from: string, to: string): OpenTab => ({
  ...tab,
  keyChoice: tab.keyChoice && moved(tab.keyChoice, from, to),
  exchange: tab.exchange && moved(tab.exchange, from, to),
});

const moved = <T extends { environment: string }>(one: T, from: string, to: string): T =>
  one.environment === from ? { ...one, environment: to } : one;
