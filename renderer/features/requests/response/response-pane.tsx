import { isExamplePath } from '@shared/http-file/example-file';
import { readEnvironmentName } from '@shared/contract/environment-id';
import type { Exchange } from '@shared/contract/sending';
import { BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { explainerOf } from '../../../session/handover';
import { readWholeAnswer } from '../../../session/whole-answer';
import { IconButton, TextButton } from '../../../ui/button';
import { CopyButton, CopyText } from '../../../ui/copy-text';
import { describeBrokenJson } from '../../../ui/describe-broken-json';
import { describeShortened } from '../../../ui/describe-shortened';
import { EmptyState } from '../../../ui/empty-state';
import { FirstRows } from '../../../ui/first-rows';
import { ErrorLine } from '../../../ui/error-line';
import { formatBytes } from '../../../ui/format-time';
import { showKeys } from '../../../ui/keys';
import { useLaidOutJson } from '../../../ui/laid-out-json';
import { JsonView } from '../../../ui/json-view';
import { PaneHeader } from '../../../ui/pane-header';
import { RelativeTime } from '../../../ui/relative-time';
import { Spinner } from '../../../ui/spinner';
import { Tabs } from '../../../ui/tabs';
import { askForExample } from '../examples/save-example';
import { SaveExampleDialog } from '../examples/save-example-dialog';
import { ErrorWays } from './error-ways';
import { JourneyList } from './journey-list';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore, type OpenTab } from '../requests-store';
import styles from './response-pane.module.css';
import { TimingWaterfall } from './timing-waterfall';
import { Verdict } from './verdict';

/** What came back for the request on top: verdict, timings, answer, journey. */
export function ResponsePane() {
  const tab = useRequestsStore(selectActiveTab);
  return (
    <div className={styles.pane}>
      <PaneHeader title="Response" className={styles.header}>
        {tab?.exchange ? <Origin exchange={tab.exchange} /> : null}
      </PaneHeader>
      {tab && isExamplePath(tab.path) ? (
        <EmptyState title="This is an example">
          An example is an answer already. Compare it with the last one under Compare.
        </EmptyState>
      ) : tab ? (
        <TabResponse tab={tab} />
      ) : null}
      <SaveExampleDialog />
    </div>
  );
}

function Origin({ exchange }: { exchange: Exchange }) {
  const active = useAppStatus((state) => state.status?.environment ?? null);
  const isElsewhere = active !== null && active.id !== exchange.environment;
  return (
    <>
      {isElsewhere ? <span>sent to {readEnvironmentName(exchange.environment)}</span> : null}
      <RelativeTime at={exchange.sentAt} />
    </>
  );
}

function TabResponse({ tab }: { tab: OpenTab }) {
  if (tab.run) {
    return (
      <p className={styles.busy} role="status">
        <Spinner label="Sending" />
        Sending…
      </p>
    );
  }
  return (
    <>
      {tab.sendError ? (
        <ErrorLine error={tab.sendError} className={styles.error}>
          <ErrorWays tab={tab} error={tab.sendError} />
        </ErrorLine>
      ) : null}
      {tab.exchange ? (
        <Answer key={tab.exchange.id} tab={tab} exchange={tab.exchange} />
      ) : tab.sendError ? null : (
        <EmptyState title="Nothing sent yet">
          Press Send or {showKeys('mod+Enter')}. The answer, its timings and the payment’s journey stand here.
        </EmptyState>
      )}
    </>
  );
}

function Answer({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const isBad = exchange.error !== null;
  return (
    <>
      <Verdict tab={tab} exchange={exchange} />
      {exchange.timings && !isBad ? <TimingWaterfall timings={exchange.timings} /> : null}
      <div className={styles.parts}>
        <AnswerParts tab={tab} exchange={exchange} />
      </div>
      {tab.journey ? <JourneyList journey={tab.journey} /> : null}
    </>
  );
}

function AnswerParts({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const { response } = exchange;
  const [selected, setSelected] = useState(response ? 'body' : 'sent');
  const body = response?.body ?? '';
  const laidOut = useLaidOutJson(body);
  const contentType = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
  const note = describeShortened(exchange) ?? describeBrokenJson(body, contentType);
  return (
    <Tabs
      label="Parts of the response"
      items={[
        ...(response
          ? [
              { id: 'body', label: 'Body' },
              { id: 'raw', label: 'Raw' },
              { id: 'headers', label: 'Headers', count: response.headers.length },
            ]
          : []),
        { id: 'sent', label: 'Sent' },
      ]}
      selected={selected}
      onSelect={setSelected}
      trailing={response ? <Size tab={tab} exchange={exchange} response={response} /> : null}
      render={(id) => {
        if (id === 'headers' && response) return <HeaderTable headers={response.headers} />;
        if (id === 'sent') return <Sent exchange={exchange} />;
        if (body === '') return <EmptyState title="No body">The answer came without one.</EmptyState>;
        return id === 'raw' ? (
          <JsonView text={body} label="Response body as received" isPlain note={note} />
        ) : (
          <JsonView text={laidOut} label="Response body" note={note} />
        );
      }}
    />
  );
}

function Size({
  tab,
  exchange,
  response,
}: {
  tab: OpenTab;
  exchange: Exchange;
  response: NonNullable<Exchange['response']>;
}) {
  return (
    <>
      <span className={styles.size}>
        {formatBytes(response.sizeBytes)}
        {response.isCut ? ', cut' : ''}
      </span>
      <CopyButton text={() => readWholeAnswer(exchange)} name="Copy the response body" />
      <IconButton label="Save as example" onPress={() => askForExample(tab.id)}>
        <BookmarkPlus size={14} />
      </IconButton>
    </>
  );
}

function HeaderTable({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.headers}>
      <FirstRows items={headers} more={(way) => <div>{way}</div>}>
        {([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>
              <CopyText text={value} label={name} />
            </dd>
          </div>
        )}
      </FirstRows>
    </dl>
  );
}

function Sent({ exchange }: { exchange: Exchange }) {
  const { request } = exchange;
  const explain = explainerOf(exchange);
  const head = `${request.method} ${request.url}\n${request.headers
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}`;
  return (
    <div className={styles.sent}>
      {explain ? (
        <p className={styles.sentBar}>
          <span>Signed</span>
          <TextButton onPress={explain}>Explain the signature</TextButton>
        </p>
      ) : null}
      <JsonView
        text={request.body === null ? head : `${head}\n\n${request.body}`}
        label="Request as sent"
        isPlain
      />
    </div>
  );
}
