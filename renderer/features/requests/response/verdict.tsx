import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Exchange, Reading } from '@shared/contract/sending';
import { explainerOf } from '../../../session/handover';
import { TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { cx } from '../../../ui/cx';
import { formatDuration } from '../../../ui/format-time';
import { ForeignText } from '../../../ui/foreign-text';
import { useBodyLink } from '../editor/body-link';
import { locateField } from './locate-field';
import { PageLink } from './page-link';
import { readInsight } from '../requests-selectors';
import { updateTab, type OpenTab } from '../requests-store';
import { NextReference } from './next-reference';
import { Redirect } from './redirect';
import { RepeatWays, RetryNote, RetryWays } from './retry-ways';
import { isPaymentUnknown, readLaterWord } from '../sending/ask-about-reference';
import { sendRequest } from '../sending/sending-actions';
import { StartSandbox } from '../../../panels/start-sandbox';
import { ScrollBox } from '../../../ui/scroll-box';
import styles from './verdict.module.css';
import { useAppStatus } from '../../../session/app-status';
import toneStyles from '../../../ui/tone.module.css';

const tones: Record<Reading['outcome'], 'good' | 'warn' | 'bad' | 'quiet'> = {
  accepted: 'good',
  ok: 'good',
  duplicate: 'warn',
  rate_limited: 'warn',
  not_found: 'warn',
  rejected: 'bad',
  unauthorized: 'bad',
  failed: 'bad',
  unknown: 'quiet',
};

/** What the answer means, in a sentence; the evidence under it, the way out in the same line. */
export function Verdict({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const { reading, error } = exchange;
  const isUnknown = isPaymentUnknown(exchange);
  const told = readLaterWord(tab);
  const tone = isUnknown ? 'warn' : error ? 'bad' : reading ? tones[reading.outcome] : 'quiet';
  const title = titleOf(exchange);
  return (
    <div className={styles.verdict}>
      <ScrollBox label="What the answer means" className={styles.told}>
        <h3 className={cx(styles.title, toneStyles[tone])}>
          <ForeignText text={title} />
        </h3>
        {isUnknown ? (
          <p className={styles.description}>
            {told === null
              ? 'Whether the payment was taken is not known.'
              : `The payment was taken all the same: ${told}.`}
          </p>
        ) : null}
        <RetryNote
          tab={tab}
          exchange={exchange}
          isUnknown={isUnknown && told === null && exchange.reference !== null}
        />
        <p className={cx(styles.facts, error && styles.roomy)}>
          <Facts exchange={exchange} />
          <WayOut tab={tab} exchange={exchange} />
        </p>
        {reading?.description && reading.description !== title ? (
          <p className={styles.description}>
            <ForeignText text={reading.description} />
          </p>
        ) : null}
        {reading?.checkoutUrl ? <Checkout url={reading.checkoutUrl} /> : null}
        {reading && reading.fieldErrors.length > 0 ? <FieldErrors tab={tab} reading={reading} /> : null}
        <Redirect tab={tab} exchange={exchange} />
      </ScrollBox>
      <NextReference tab={tab} />
    </div>
  );
}

const titleOf = ({ error, reading, response }: Exchange): string =>
  error?.message ?? reading?.title ?? (response ? 'Answered' : 'No answer yet');

function Facts({ exchange }: { exchange: Exchange }) {
  const { response, reading, timings, error } = exchange;
  const parts = [
    response ? String(response.httpStatus) : null,
    [reading?.code ? `code ${reading.code}` : '', reading?.status ? `status ${reading.status}` : '']
      .filter(Boolean)
      .join(', '),
    reading?.state ? `state ${reading.state}` : null,
    timings ? formatDuration(timings.totalMs) : null,
  ].filter(Boolean);
  return (
    <>
      {error ? (
        <span>
          <CopyText text={error.code} label="error code" />
        </span>
      ) : null}
      {parts.slice(0, -1).map((part) => (
        <span key={part}>
          <ForeignText text={part!} />
        </span>
      ))}
      {reading?.paymentUuid ? (
        <span>
          {'payment '}
          <CopyText text={reading.paymentUuid} label="payment UUID" />
        </span>
      ) : null}
      {parts.length > 0 ? (
        <span>
          <ForeignText text={parts.at(-1)!} />
        </span>
      ) : null}
    </>
  );
}

function WayOut({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const { reading } = exchange;
  if (reading?.outcome === 'rate_limited') return <RepeatWays tab={tab} exchange={exchange} />;
  if (exchange.error?.code === 'sending.unreachable' && exchange.environment === localEnvironmentId)
    return (
      <span>
        <StartSandbox again="Send again" onAgain={() => void sendRequest(tab.id)} />
      </span>
    );
  if (isPaymentUnknown(exchange) && exchange.reference !== null)
    return <RetryWays tab={tab} exchange={exchange} />;
  const explain = explainerOf(exchange);
  if (reading?.outcome !== 'unauthorized' || explain === null) return null;
  return (
    <span>
      <TextButton onPress={explain}>Explain</TextButton>
    </span>
  );
}

/** Where the customer pays; an address that is no web page is shown, not linked. */
function Checkout({ url }: { url: string }) {
  return (
    <p className={styles.checkout}>
      <span>Checkout page</span>
      <CopyText text={url} label="checkout address" className={styles.address} />
      {/^https?:\/\//i.test(url) ? <PageLink url={url}>Open</PageLink> : null}
    </p>
  );
}

function FieldErrors({ tab, reading }: { tab: OpenTab; reading: Reading }) {
  const { fieldErrors: errors, fieldErrorCount = errors.length } = reading;
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const jump = (field: string): void => {
    const range = locateField(readInsight(tab, environment).block?.body ?? '', field);
    updateTab(tab.id, { subTab: 'body', isFormShown: false });
    if (range) useBodyLink.setState({ pending: { tabId: tab.id, ...range } });
  };
  return (
    <ul className={styles.fields} aria-label="Field errors">
      {errors.map(({ field, message }, index) => (
        <li key={index}>
          {field === '' ? null : (
            <TextButton className={styles.field} onPress={() => jump(field)}>
              <ForeignText text={field} />
            </TextButton>
          )}{' '}
          <ForeignText text={message} />
        </li>
      ))}
      {fieldErrorCount > errors.length ? (
        <li>{`and ${fieldErrorCount - errors.length} more, in the body`}</li>
      ) : null}
    </ul>
  );
}
