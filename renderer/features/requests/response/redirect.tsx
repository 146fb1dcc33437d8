import type { Exchange } from '@shared/contract/sending';
import { findHeader } from '@shared/find-header';
import { useAppStatus } from '../../../session/app-status';
import { TextButton } from '../../../ui/button';
import type { OpenTab } from '../requests-store';
import { followRedirect, planFollowing } from '../sending/follow-redirect';
import { ForeignText } from '../../../ui/foreign-text';
import styles from './verdict.module.css';

/** Where an answer points, and what would go along: nothing follows by itself. */
export function Redirect({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const { response } = exchange;
  const isHere = useAppStatus((state) => state.status?.environment?.id === exchange.environment);
  if (!response || response.httpStatus < 301 || response.httpStatus > 308) return null;
  const plan = isHere ? planFollowing(tab) : null;
  if (plan === null) {
    const location = findHeader(response.headers, 'location');
    return location === null ? null : (
      <p className={styles.description}>
        It points to <ForeignText text={location} />. Nothing was sent there.
      </p>
    );
  }
  if (plan.kind === 'refused') {
    return <p className={styles.description}>Nothing can be sent where it points. {plan.reason}</p>;
  }
  const { method, url, body } = plan.request;
  const left = plan.dropped.length === 0 ? '.' : `, without ${plan.dropped.join(', ')}.`;
  return (
    <p className={styles.description}>
      It points to {plan.isForeign ? 'another host: ' : ''}
      <b>
        <ForeignText text={url} />
      </b>
      . Nothing was sent there.{' '}
      <TextButton isOnce onPress={() => void followRedirect(tab.id)}>
        {`Follow with ${method}${body === null ? '' : ' and the body'}`}
      </TextButton>
      {left}
    </p>
  );
}
