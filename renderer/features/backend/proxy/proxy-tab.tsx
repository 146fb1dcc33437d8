import { ErrorLine } from '../../../ui/error-line';
import { LoadError } from '../../../ui/load-error';
import { Skeleton } from '../../../ui/spinner';
import { SplitPane } from '../../../ui/split-pane';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../backend.module.css';
import { ExchangeList } from './exchange-list';
import { ExchangePane } from './exchange-pane';
import { NothingPassed } from './nothing-passed';
import { ProxyBar } from './proxy-bar';
import { useProxyStore } from './proxy-store';
import tones from '../../../ui/tone.module.css';

/** What stands between the user's backend and the service: its state, what passed, and one exchange of it. */
export function ProxyTab() {
  const load = useProxyStore((store) => store.load);
  const phase = useProxyStore((store) => store.phase);
  const error = useProxyStore((store) => store.error);
  const isEmpty = useProxyStore((store) => store.totalCount === 0);
  return (
    <div className={styles.parts}>
      <ProxyBar />
      <LoadError error={error} isApart onRetry={load} />
      <Remarks />
      {phase === 'loading' || phase === 'idle' ? (
        <Skeleton lines={8} />
      ) : isEmpty ? (
        // What could not be read may hold anything.
        error === null && <NothingPassed />
      ) : (
        <Exchanges />
      )}
    </div>
  );
}

/** What is to be known of the proxy beside its state: each in a line, none twice. */
function Remarks() {
  const status = useProxyStore((store) => store.status);
  const actionError = useProxyStore((store) => store.actionError);
  const notice = useProxyStore((store) => store.notice);
  const { state, message = null, targetFault = null } = status ?? {};
  // A start that was refused says the same in the status.
  const failure = actionError ?? (state === 'failed' && message !== null ? { message } : null);
  return (
    <>
      {failure ? <ErrorLine error={failure} isApart /> : null}
      {targetFault === null ? null : <ErrorLine error={{ message: targetFault }} isApart />}
      {state === 'running' && message !== null ? <p className={shared.note}>{message}</p> : null}
      <div role="status" className={tones.told}>
        {notice === null ? null : <p className={shared.note}>{notice}</p>}
      </div>
    </>
  );
}

function Exchanges() {
  return (
    <SplitPane
      id="proxy"
      panes={[
        {
          id: 'proxy-list',
          label: 'Exchanges',
          content: <ExchangeList />,
          defaultSize: '62%',
          minSize: 320,
        },
        {
          id: 'proxy-exchange',
          label: 'Exchange',
          content: <ExchangePane />,
          defaultSize: '38%',
          minSize: 280,
        },
      ]}
    />
  );
}
