import type { Exchange } from '@shared/contract/sending';
import { TextButton } from './button';
import { CopyButton } from './copy-text';
import { describeKept, describeShortened } from './describe-shortened';
import { ErrorLine } from './error-line';
import styles from './exchange-parts.module.css';
import { ForeignText } from './foreign-text';
import { formatDuration } from './format-time';
import { useLaidOutJson } from './laid-out-json';
import { JsonView } from './json-view';
import { StringToSignSpans } from './string-to-sign-spans';
import { Verb } from './tag';
import tones from './tone.module.css';

/** One request and its answer, with the string that was signed. */
export function ExchangeParts({
  exchange,
  onExplain,
  readWhole,
}: {
  exchange: Exchange;
  /** Opens what explains the signature; null: it has none. */
  onExplain: (() => void) | null;
  /** Gives all of an answer of which the beginning is shown. */
  readWhole: () => Promise<string>;
}) {
  const { request, response, timings } = exchange;
  const sent = useLaidOutJson(request.body ?? '');
  const received = useLaidOutJson(response?.body ?? '');
  return (
    <>
      <div className={styles.line}>
        <Verb method={request.method} />
        <code className={styles.url}>
          <ForeignText text={request.url} />
        </code>
        {response ? (
          <span className={response.httpStatus < 400 ? undefined : tones.bad}>
            {`HTTP ${response.httpStatus}${timings ? ` in ${formatDuration(timings.totalMs)}` : ''}`}
          </span>
        ) : null}
      </div>
      {request.stringToSign === null ? null : (
        <div className={styles.line}>
          <StringToSignSpans
            text={request.stringToSign}
            spans={request.spans}
            isWrapped
            className={styles.signed}
          />
          {onExplain ? <TextButton onPress={onExplain}>Explain the signature</TextButton> : null}
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
              {describeShortened(exchange) ? (
                <CopyButton text={readWhole} name="Copy the body received" />
              ) : null}
            </span>
            <JsonView text={received} label="Body received" note={describeKept(exchange)} />
          </div>
        )}
      </div>
    </>
  );
}
