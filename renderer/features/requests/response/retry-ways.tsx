import type { Exchange } from '@shared/contract/sending';
import { isTooLong } from '@shared/payments/retry-after';
import { useEffect, useState } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { useEnvironmentLabel } from '../../../session/environments';
import { TextButton } from '../../../ui/button';
import { formatDuration } from '../../../ui/format-time';
import { canRepeat, readInsight } from '../requests-selectors';
import type { OpenTab } from '../requests-store';
import { readWaitMs, repeatLater, stopRepeating, useRepeatStore, type Repeat } from '../sending/repeat-later';
import { retrySafely, useRetryStore, whyStatusFirst } from '../sending/retry-safely';
import { askTabStatus, sendAgain, sendRequest } from '../sending/sending-actions';
import { findSent } from '../sending/sent-requests';
import styles from './verdict.module.css';

/** After 'too many requests': the same request again, at once or when the service allows it. */
export function RepeatWays({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const waiting = useRepeatStore((state) => state.waiting[tab.id] ?? null);
  const isKnown = findSent(tab) !== null;
  if (waiting) return <Countdown tab={tab} repeat={waiting} />;
  const waitMs = readWaitMs(tab.id);
  if (environment?.id !== exchange.environment) return <Elsewhere exchange={exchange} />;
  // After a restart, what was sent is known where nothing has changed since.
  if (!isKnown && !canRepeat(tab, readInsight(tab, environment))) return null;
  return (
    <>
      {waitMs === null || waitMs === 0 ? null : (
        <span>
          asks to wait {formatDuration(waitMs)}
          {isTooLong(waitMs) ? ', longer than this waits by itself' : ''}
        </span>
      )}
      <span>
        <TextButton isOnce onPress={() => void (isKnown ? sendAgain(tab.id) : sendRequest(tab.id))}>
          {exchange.reference === null ? 'Again' : 'Again, same reference'}
        </TextButton>
      </span>
      {isKnown && !isTooLong(waitMs) ? (
        <span>
          <TextButton onPress={() => repeatLater(tab.id)}>Again when it may</TextButton>
        </span>
      ) : null}
    </>
  );
}

function Countdown({ tab, repeat }: { tab: OpenTab; repeat: Repeat }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((repeat.at - now) / 1000));
  return (
    <>
      <span>{`again in ${seconds} s, attempt ${repeat.attempt + 1}`}</span>
      <span>
        <TextButton onPress={() => stopRepeating(tab.id)}>Do not</TextButton>
      </span>
    </>
  );
}

/** What was sent in one environment is never sent again in another. */
function Elsewhere({ exchange }: { exchange: Exchange }) {
  const label = useEnvironmentLabel(exchange.environment);
  return <span>{`to send it again, choose the environment ${label}`}</span>;
}

/** Where nobody knows whether a payment was taken. */
export function RetryWays({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const isAsking = useRetryStore((state) => state.asking.includes(tab.id));
  const isHere = useAppStatus((state) => state.status?.environment?.id === exchange.environment);
  return (
    <>
      {isHere ? (
        <span>
          <TextButton isOnce isDisabled={isAsking} onPress={() => void retrySafely(tab.id)}>
            {isAsking ? 'Asking its status…' : 'Retry safely'}
          </TextButton>
        </span>
      ) : (
        <Elsewhere exchange={exchange} />
      )}
      <span>
        <TextButton isOnce onPress={() => void askTabStatus(tab.id)}>
          Ask its status
        </TextButton>
      </span>
    </>
  );
}

/** Why the status is asked first, and what came of sending again. */
export function RetryNote({
  tab,
  exchange,
  isUnknown,
}: {
  tab: OpenTab;
  exchange: Exchange;
  isUnknown: boolean;
}) {
  const note = useRetryStore((state) => state.notes[exchange.id] ?? '');
  const isAsking = useRetryStore((state) => state.asking.includes(tab.id));
  if (!isUnknown && note === '') return null;
  return (
    <p className={styles.description} role="status">
      {note === '' || isAsking ? whyStatusFirst : note}
    </p>
  );
}
