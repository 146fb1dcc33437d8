import { useState } from 'react';
import { useViewTask } from '../../../session/tasks';
import { Button } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { MoreMenu } from '../../../ui/more-menu';
import { Dot } from '../../../ui/tag';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../backend.module.css';
import { describeState } from './proxy-selectors';
import { ProxyDialog } from './proxy-dialog';
import { useProxyStore } from './proxy-store';
import { ForeignText } from '../../../ui/foreign-text';
import tones from '../../../ui/tone.module.css';
import { countOf } from '@shared/count-of';

/** State, the address that the backend takes, the target behind it; start and stop. */
export function ProxyBar() {
  const status = useProxyStore((store) => store.status);
  const isBusy = useProxyStore((store) => store.isBusy);
  const startAgain = useProxyStore((store) => store.startAgain);
  const stopProxy = useProxyStore((store) => store.stopProxy);
  const save = useProxyStore((store) => store.save);
  const hasExchanges = useProxyStore((store) => store.totalCount > 0);
  const [isAsking, setAsking] = useState(false);
  useViewTask('setUpProxy', () => setAsking(true));
  const isUnread = useProxyStore((store) => store.error !== null);
  const { text, tone } = describeState(status, isUnread);
  const isRunning = status?.state === 'running' || status?.state === 'starting';
  return (
    <div className={shared.bar}>
      <span className={styles.state} role="status" aria-label="State of the proxy">
        <Dot tone={tone} />
        {text}
      </span>
      {status?.url ? <CopyText text={status.url} label="address for your backend" /> : null}
      {status === null ? null : (
        <span className={styles.target}>
          to <ForeignText title={status.target} text={status.target} />
          {isRunning ? <KeyCount count={status.keyCount} /> : null}
        </span>
      )}
      <span className={styles.actions}>
        {isRunning ? (
          <Button isOnce isDisabled={isBusy} onPress={() => void stopProxy()}>
            Stop
          </Button>
        ) : (
          <Button isOnce isDisabled={isBusy || status === null} onPress={() => void startAgain()}>
            Start the proxy
          </Button>
        )}
        <Button isDisabled={status === null} onPress={() => setAsking(true)}>
          Set up…
        </Button>
        <MoreMenu
          label="Proxy"
          actions={[
            {
              id: 'har',
              label: 'Export what is listed as HAR',
              obstacle: !hasExchanges && 'Nothing is listed',
              onAction: () => void save('har'),
            },
            {
              id: 'jsonl',
              label: 'Export what is listed as JSON Lines',
              obstacle: !hasExchanges && 'Nothing is listed',
              onAction: () => void save('jsonl'),
            },
          ]}
        />
      </span>
      {isAsking && status !== null ? <ProxyDialog status={status} onClose={() => setAsking(false)} /> : null}
    </div>
  );
}

function KeyCount({ count }: { count: number }) {
  if (count === 0) return <span className={tones.warn}> · no key to verify with</span>;
  return <span>{` · verified with ${countOf(count, 'key')}`}</span>;
}
