import type { Exchange } from '@shared/contract/sending';
import { explainerOf } from '../../session/handover';
import { readWholeAnswer } from '../../session/whole-answer';
import { TextButton } from '../../ui/button';
import { CopyButton } from '../../ui/copy-text';
import { describeShortened } from '../../ui/describe-shortened';
import { ErrorLine } from '../../ui/error-line';
import { formatDuration } from '../../ui/format-time';
import { useLaidOutJson } from '../../ui/laid-out-json';
import { JsonView } from '../../ui/json-view';
import { Skeleton } from '../../ui/spinner';
import { StringToSignSpans } from '../../ui/string-to-sign-spans';
import { Verb } from '../../ui/tag';
import { usePaymentsStore } from './payments-store';
import styles from './payments.module.css';

/** One request and its answer, under its event. */
export function ExchangeBody() {
  const exchange = usePaymentsStore((state) => state.exchange);
  const error = usePaymentsStore((state) => state.exchangeError);
  return (
    <div className={styles.exchange}>
      {error ? (
        <ErrorLine error={error} />
      ) : exchange ? (
        <Parts exchange={exchange} />
      ) : (
        <Skeleton lines={4} />
      )}
    </div>
  );
}

function Parts({ exchange }: { exchange: Exchange }) {
  const { request, response, timings } = exchange;
  const sent = useLaidOutJson(request.body ?? '');
  const received = useLaidOutJson(response?.body ?? '');
  const note = describeShortened(exchange);
  const explain = explainerOf(exchange);
  return (
    <>
      <div className={styles.exchangeLine}>
        <Verb method={request.method} />
        <code className={styles.url}>{request.url}</code>
        {response ? (
          <span className={response.httpStatus < 400 ? undefined : styles.bad}>
            {`HTTP ${response.httpStatus}${timings ? ` in ${formatDuration(timings.totalMs)}` : ''}`}
          </span>
        ) : null}
      </div>
      {request.stringToSign === null ? null : (
        <div className={styles.exchangeLine}>
          <StringToSignSpans text={request.stringToSign} spans={request.spans} className={styles.signed} />
          {explain ? <TextButton onPress={explain}>Explain the signature</TextButton> : null}
        </div>
      )}
      {exchange.error ? <ErrorLine error={exchange.error} /> : null}
      <div className={styles.bodies}>
        {request.body === null ? null : (
          <div className={styles.body}>
            <span className={styles.caption}>Sent</span>
            <JsonView text={sent} label="Body sent" />
          </div>
        )}
        {response === null ? null : (
          <div className={styles.body}>
            <span className={styles.caption}>
              Received
              {note ? (
                <CopyButton text={() => readWholeAnswer(exchange)} name="Copy the body received" />
              ) : null}
            </span>
            <JsonView text={received} label="Body received" note={note} />
          </div>
        )}
      </div>
    </>
  );
}
