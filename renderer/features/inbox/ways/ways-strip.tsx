import type { ForwardingStatus, TunnelStatus } from '@shared/contract/forwarding';
import { useEffect, useState } from 'react';
import { navigate } from '../../../session/routes';
import { useTunnel } from '../../../session/tunnel';
import { useViewTask } from '../../../session/tasks';
import { TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { cx } from '../../../ui/cx';
import { ErrorLine } from '../../../ui/error-line';
import { formatDuration } from '../../../ui/format-time';
import { Dot } from '../../../ui/tag';
import styles from '../inbox.module.css';
import { ForwardDialog } from './forward-dialog';
import { TunnelDialog } from './tunnel-dialog';
import { describeForwarding, describeRefused } from './describe-ways';
import { useInboxStore } from '../inbox-store';
import { useWaysStore } from './ways-store';
import { ForeignText } from '../../../ui/foreign-text';
import tones from '../../../ui/tone.module.css';

/** Where webhooks go on to, and from where the listener can be reached. */
export function WaysStrip() {
  const start = useWaysStore((state) => state.start);
  const forwarding = useWaysStore((state) => state.forwarding);
  const tunnel = useTunnel((state) => state.tunnel);
  const error = useWaysStore((state) => state.error);
  useEffect(() => start(), [start]);
  const isTold = useInboxStore((state) => state.error?.message === error?.message);
  if (forwarding === null && tunnel === null && (error === null || isTold)) return null;
  return (
    <div className={cx(styles.answer, styles.ways)} role="group" aria-label="Ways in and on">
      {forwarding ? <ForwardLine forwarding={forwarding} /> : null}
      {tunnel ? <TunnelLine tunnel={tunnel} /> : null}
      {error && !isTold ? <ErrorLine error={error} /> : null}
    </div>
  );
}

function ForwardLine({ forwarding }: { forwarding: ForwardingStatus }) {
  const [isChanging, setChanging] = useState(false);
  useViewTask('forwardWebhooks', () => setChanging(true));
  const sendMissed = useWaysStore((state) => state.sendMissed);
  const { isOn, url, trouble, missedCount, failedId } = forwarding;
  const facts = describeForwarding(forwarding);
  const refused = describeRefused(forwarding);
  return (
    <>
      <div className={styles.answerLine}>
        {isOn ? <Dot tone={trouble === null ? 'good' : 'bad'} /> : null}
        <span className={styles.label}>{isOn ? 'Forwarding to' : 'Not forwarded'}</span>
        {isOn ? (
          <b title={url}>
            <ForeignText text={url} />
          </b>
        ) : null}
        <TextButton className={styles.change} onPress={() => setChanging(true)}>
          {isOn ? 'Change' : 'Forward…'}
        </TextButton>
      </div>
      {facts === '' ? null : (
        <div className={styles.answerLine} title={facts}>
          <span className={styles.way}>{facts}</span>
          {failedId === null ? null : (
            <TextButton className={styles.change} onPress={() => navigate('inbox', failedId)}>
              Show one that failed
            </TextButton>
          )}
        </div>
      )}
      <Warning text={trouble} />
      <Warning text={refused} />
      {isOn && missedCount > 0 ? (
        <div className={styles.answerLine}>
          <span>
            {missedCount === 1 ? '1 webhook' : `${missedCount.toLocaleString('en')} webhooks`} came while
            nothing was forwarded to an address
          </span>
          <TextButton isOnce className={styles.change} onPress={() => void sendMissed()}>
            Forward them
          </TextButton>
        </div>
      ) : null}
      {isChanging ? <ForwardDialog forwarding={forwarding} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

function Warning({ text }: { text: string | null }) {
  return (
    <div role="status" className={tones.told}>
      {text ? (
        <div className={styles.answerLine}>
          <span className={styles.warn}>{text}</span>
        </div>
      ) : null}
    </div>
  );
}

function TunnelLine({ tunnel }: { tunnel: TunnelStatus }) {
  const [isChanging, setChanging] = useState(false);
  const closeTunnel = useWaysStore((state) => state.closeTunnel);
  const { state, url, reason, latencyMs } = tunnel;
  useViewTask('openTunnel', () => setChanging(state === 'off'));
  const isUp = state === 'connected';
  return (
    <>
      <div className={styles.answerLine}>
        {state === 'off' ? null : <Dot tone={isUp ? 'good' : state === 'connecting' ? 'quiet' : 'bad'} />}
        <span>
          {state === 'off' ? 'Not reachable from outside' : isUp ? 'Public at' : TUNNEL_WORDS[state]}
        </span>
        {isUp && url ? (
          <span className={styles.address}>
            <CopyText text={url} label="public address" />
          </span>
        ) : null}
        {isUp && latencyMs !== null ? <span className={styles.way}>{formatDuration(latencyMs)}</span> : null}
        <TextButton
          className={styles.change}
          onPress={() => (state === 'off' ? setChanging(true) : void closeTunnel())}
        >
          {state === 'off' ? 'Open a tunnel…' : 'Close'}
        </TextButton>
      </div>
      <Warning text={reason} />
      {isChanging ? <TunnelDialog tunnel={tunnel} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

const TUNNEL_WORDS = { connecting: 'The tunnel is opening', disconnected: 'The tunnel is down' } as const;
