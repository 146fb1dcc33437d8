import { localEnvironmentId } from '@shared/contract/environment-id';
import type { ClientError } from '../../transport/client-error';
import { StartSandbox } from '../../panels/start-sandbox';
import { useEnvironmentLabel } from '../../session/environments';
import { findErrorPlace } from '../../session/error-place';
import { useMemo } from 'react';
import { navigate } from '../../session/routes';
import { Button, TextButton } from '../../ui/button';
import { readWholeAnswer } from '../../session/whole-answer';
import { CopyButton, CopyText } from '../../ui/copy-text';
import { describeKept } from '../../ui/describe-shortened';
import { cx } from '../../ui/cx';
import { ErrorLine } from '../../ui/error-line';
import { formatAmount } from '@shared/payments/format-amount';
import { formatDuration, formatExact } from '../../ui/format-time';
import { useLaidOutJson } from '../../ui/laid-out-json';
import { JsonView } from '../../ui/json-view';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { RelativeTime } from '../../ui/relative-time';
import { Skeleton } from '../../ui/spinner';
import { findSuggestion, headlineOf, readRecord } from './lookups-selectors';
import { NothingAsked } from './nothing-asked';
import { askAbout, useLookupsStore, type LookupResult } from './lookups-store';
import styles from './lookups.module.css';
import { ForeignText } from '../../ui/foreign-text';
import tones from '../../ui/tone.module.css';

function LookupError({ error }: { error: ClientError }) {
  const place = findErrorPlace(error);
  // Nothing was asked yet: it is what the view itself reads that failed.
  const isUnread = useLookupsStore((state) => state.environments.length === 0);
  const start = useLookupsStore((state) => state.start);
  const environment = useLookupsStore((state) => state.environment);
  return (
    <ErrorLine error={error} className={styles.fault}>
      {place ? <a href={place.href}>{place.label}</a> : null}
      {isUnread ? <TextButton onPress={() => void start(environment)}>Try again</TextButton> : null}
    </ErrorLine>
  );
}

/** What the service says: a sentence, the record, the answer as it came. */
export function LookupAnswer() {
  return (
    <>
      <Told />
      <Shown />
    </>
  );
}

/** The sentence again, for a screen reader; of a watch each time that it changes, and why it ended. */
function Told() {
  const result = useLookupsStore((state) => state.result);
  const watchEnd = useLookupsStore((state) => state.watchEnd);
  const isOpen = useLookupsStore(
    ({ error, isAsking, watchCount }) => error || (isAsking && watchCount === null),
  );
  return (
    <p role="status" className={tones.unseen}>
      {isOpen || result === null ? '' : headlineOf(result).text} {watchEnd}
    </p>
  );
}

function Shown() {
  const result = useLookupsStore((state) => state.result);
  const error = useLookupsStore((state) => state.error);
  const isAsking = useLookupsStore((state) => state.isAsking);
  const isUnread = useLookupsStore((state) => state.environments.length === 0);
  if (error) return <LookupError error={error} />;
  if (result === null) {
    if (isAsking || isUnread) return <Skeleton lines={6} />;
    return <Unasked />;
  }
  return <Answer result={result} />;
}

/** Before the question: what is known here of the payment that was chosen. */
function Unasked() {
  const value = useLookupsStore((state) => state.value);
  const known = useLookupsStore(({ suggestions, environment }) =>
    findSuggestion(suggestions, value, environment),
  );
  const isThere = useLookupsStore(({ environments }) =>
    environments.some(({ id }) => id === known?.environment),
  );
  const label = useEnvironmentLabel(known?.environment ?? '');
  if (known === undefined) {
    return <NothingAsked />;
  }
  return (
    <>
      <div className={styles.verdict}>
        <p className={styles.headline}>
          <ForeignText text={known.title} />
        </p>
        <CopyText text={known.reference} label="reference" />
        <p className={styles.codes}>
          {isThere
            ? 'Sent from here; what the service says of it is not asked yet.'
            : 'Sent from here by an environment that is gone. Choose one of the same service to ask about it.'}
        </p>
        <div className={styles.ways}>
          {isThere ? (
            <Button variant="primary" onPress={() => void askAbout(known)}>
              Ask its status
            </Button>
          ) : null}
          <Button onPress={() => navigate('payments', known.reference)}>Open the journey</Button>
        </div>
      </div>
      <FactList
        facts={[
          { label: 'Product', value: known.product },
          { label: 'Environment', value: label },
          { label: 'Sent', value: <RelativeTime at={known.sentAt} /> },
        ]}
      />
    </>
  );
}

function Answer({ result }: { result: LookupResult }) {
  const { exchange } = result;
  const ask = useLookupsStore((state) => state.ask);
  const headline = headlineOf(result);
  const body = exchange.response?.body ?? '';
  const text = useLaidOutJson(body);
  const { reading } = exchange;
  const codes = [
    exchange.response ? `HTTP ${exchange.response.httpStatus}` : null,
    reading?.code ? `code ${reading.code}` : null,
    reading?.status ? `status ${reading.status}` : null,
    exchange.timings ? formatDuration(exchange.timings.totalMs) : null,
    `at ${formatExact(exchange.sentAt).slice(11, 19)}`,
  ].filter(Boolean);
  return (
    <>
      <div className={styles.verdict}>
        <p className={cx(styles.headline, tones[headline.tone])}>
          <ForeignText text={headline.text} />
        </p>
        <p className={styles.codes}>
          <ForeignText text={codes.join(' · ')} />
        </p>
        {exchange.error?.code === 'sending.unreachable' && exchange.environment === localEnvironmentId ? (
          <p>
            <StartSandbox again="Ask again" onAgain={() => void ask()} />
          </p>
        ) : null}
        {reading?.description ? (
          <p className={styles.codes}>
            <ForeignText text={reading.description} />
          </p>
        ) : null}
      </div>
      <Seen />
      <Record body={body} />
      {exchange.response ? (
        <div className={styles.raw}>
          <PaneHeader title="Answer as received">
            <CopyButton text={() => readWholeAnswer(exchange)} name="Copy the answer" />
          </PaneHeader>
          <JsonView text={text} label="Answer as received" note={describeKept(exchange)} />
        </div>
      ) : null}
    </>
  );
}

function Seen() {
  const seen = useLookupsStore((state) => state.seen);
  if (seen.length < 2) return null;
  return (
    <ol className={styles.seen} aria-label="States seen">
      {seen.map((one) => (
        <li key={one.at}>
          <ForeignText text={one.state} />
          <time title={formatExact(one.at)}>{formatExact(one.at).slice(11, 19)}</time>
        </li>
      ))}
    </ol>
  );
}

const amountFields = new Set(['amount', 'total_charges', 'total_amount']);

function Record({ body }: { body: string }) {
  const rows = useMemo(() => readRecord(body), [body]);
  if (rows.length === 0) return null;
  return (
    <dl className={styles.record}>
      {rows.map(({ field, value }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <CopyText text={value} label={field} isCode={!amountFields.has(field)}>
              {amountFields.has(field) ? formatAmount(value) : value}
            </CopyText>
            {field === 'transaction_reference' ? (
              <TextButton className={styles.link} onPress={() => navigate('payments', value)}>
                Open the journey
              </TextButton>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
