import { isExamplePath } from '@shared/http-file/example-file';
import type { Exchange } from '@shared/contract/sending';
import { BookmarkPlus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { useEnvironmentLabel } from '../../../session/environments';
import { explainerOf } from '../../../session/handover';
import { IconButton, TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { EmptyState } from '../../../ui/empty-state';
import { EmptyView } from '../../../ui/empty-view';
import { FirstRows } from '../../../ui/first-rows';
import { ErrorLine } from '../../../ui/error-line';
import { formatBytes } from '../../../ui/format-time';
import { useShownKeys } from '../../../panels/shown-keys';
import { JsonView } from '../../../ui/json-view';
import { later } from '../../../ui/later';
import { PaneHeader } from '../../../ui/pane-header';
import { RelativeTime } from '../../../ui/relative-time';
import { Spinner } from '../../../ui/spinner';
import { Tabs } from '../../../ui/tabs';
import { askForExample, useExampleTask } from '../examples/example-task';
import { ErrorWays } from './later-error-ways';
import { JourneyList, JourneyStep } from './journey-list';
import { selectActiveTab } from '../requests-selectors';
import { loadLastExchange } from '../sending/sending-actions';
import { useRequestsStore, type OpenTab } from '../requests-store';
import styles from './response-pane.module.css';
import tones from '../../../ui/tone.module.css';

const AnswerBody = later(async () => (await import('./body/answer-body')).AnswerBody);
const Attempts = later(async () => (await import('./attempts')).Attempts);
const SaveExampleDialog = later(
  async () => (await import('../examples/save-example-dialog')).SaveExampleDialog,
  { useIsAsked: () => useExampleTask(({ tabId }) => tabId !== null) },
);
const TimingWaterfall = later(async () => (await import('./timing-waterfall')).TimingWaterfall);
const Verdict = later(async () => (await import('./verdict')).Verdict);
const WireView = later(async () => (await import('./wire-view')).WireView);

/** What came back for the request on top: verdict, timings, answer, journey. */
export function ResponsePane() {
  const tab = useRequestsStore(selectActiveTab);
  return (
    <div className={styles.pane}>
      <PaneHeader title="Response" className={styles.header}>
        {tab?.exchange ? <Origin exchange={tab.exchange} /> : null}
      </PaneHeader>
      <p role="status" className={tones.unseen}>
        {useOutcome(tab)}
      </p>
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

function describeRun({ requestIndex, isAskedAgain }: NonNullable<OpenTab['run']>, shown: number): string {
  const other = requestIndex === -1 ? 'Another request' : `Request ${requestIndex + 1}`;
  const sending = requestIndex === shown ? 'Sending…' : `${other} of this file is being sent…`;
  return isAskedAgain
    ? `${sending} Nothing else was sent: a file has one request under way at a time. Wait for its answer, or cancel it.`
    : sending;
}

/** What a request came to that is sent while it is on show: a screen reader tells of it. What was sent before is read where it stands. */
function useOutcome(tab: OpenTab | null): string {
  const [sentIn, setSentIn] = useState<string | null>(null);
  const id = tab && (tab.run || tab.id === sentIn) ? tab.id : null;
  if (id !== sentIn) setSentIn(id);
  if (tab?.run) return describeRun(tab.run, tab.requestIndex);
  // An error is an alert where it stands.
  if (id === null || !tab?.exchange || tab.sendError) return '';
  const { error, reading, response } = tab.exchange;
  return `${response?.httpStatus ?? ''} ${error?.message ?? reading?.title ?? 'Answered'}`;
}

function Origin({ exchange }: { exchange: Exchange }) {
  const active = useAppStatus((state) => state.status?.environment ?? null);
  const label = useEnvironmentLabel(exchange.environment);
  const isElsewhere = active !== null && active.id !== exchange.environment;
  return (
    <>
      {isElsewhere ? <span>sent to {label}</span> : null}
      <RelativeTime at={exchange.sentAt} />
    </>
  );
}

function TabResponse({ tab }: { tab: OpenTab }) {
  if (tab.run) {
    return (
      <p className={styles.busy}>
        <Spinner label="Sending" />
        {describeRun(tab.run, tab.requestIndex)}
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
        <LastAnswer key={`${tab.id} ${tab.requestIndex} ${tab.state}`} tab={tab} />
      )}
    </>
  );
}

/** Brings what was sent before the tab was opened, by a run, too; says that nothing was once history has nothing. */
function LastAnswer({ tab }: { tab: OpenTab }) {
  const [isLooking, setIsLooking] = useState(true);
  const isReady = tab.state === 'ready';
  useEffect(() => {
    if (isReady) void loadLastExchange(tab.id).finally(() => setIsLooking(false));
  }, [tab.id, isReady]);
  return isLooking && tab.state !== 'failed' ? null : <NothingSent />;
}

function NothingSent() {
  const keys = useShownKeys('send');
  return (
    <EmptyView title="Nothing sent yet" example={<ExampleAnswer />}>
      Press Send{keys === undefined ? '' : ` or ${keys}`}. The answer, its timings and the payment’s journey
      stand here.
    </EmptyView>
  );
}

function ExampleAnswer() {
  return (
    <>
      <b className={tones.good}>Accepted for processing</b>
      <p className={styles.small}>201 · code ACCEPTED · 41 ms</p>
      <ol>
        {['Signed and sent', 'Accepted', 'Webhook: SUCCESS', 'Balance: KES 998,485.00'].map((step, index) => (
          <JourneyStep key={step} tone="good" time={index === 0 ? '10:00:02' : `+${exampleTimes[index]}`}>
            {step}
          </JourneyStep>
        ))}
      </ol>
    </>
  );
}
const exampleTimes = ['', '41 ms', '1.6 s', '2.0 s'];

function Answer({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  return (
    <>
      <Verdict tab={tab} exchange={exchange} />
      {exchange.timings ? (
        <TimingWaterfall timings={exchange.timings} isFailed={exchange.error !== null} />
      ) : null}
      <div className={styles.parts}>
        <AnswerParts tab={tab} exchange={exchange} />
      </div>
      <Attempts tab={tab} exchange={exchange} />
      {tab.journey ? <JourneyList journey={tab.journey} /> : null}
    </>
  );
}

function AnswerParts({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const { response, trace } = exchange;
  const [selected, setSelected] = useState(response ? 'body' : 'sent');
  const body = response?.body ?? '';
  return (
    <Tabs
      label="Parts of the response"
      items={[
        ...(response
          ? [
              { id: 'body', label: 'Body' },
              { id: 'headers', label: 'Headers', count: response.headers.length },
            ]
          : []),
        { id: 'sent', label: 'Sent' },
        ...(trace ? [{ id: 'wire', label: 'Wire' }] : []),
      ]}
      selected={selected}
      onSelect={setSelected}
      trailing={response ? <Size tab={tab} response={response} /> : null}
      render={(id) => {
        if (id === 'headers' && response) return <HeaderTable headers={response.headers} />;
        if (id === 'sent') return <Sent exchange={exchange} />;
        if (id === 'wire' && trace) return <WireView trace={trace} url={exchange.request.url} />;
        if (body === '') return <EmptyState title="No body">The answer came without one.</EmptyState>;
        return <AnswerBody tabId={tab.id} exchange={exchange} body={body} />;
      }}
    />
  );
}

function Size({ tab, response }: { tab: OpenTab; response: NonNullable<Exchange['response']> }) {
  return (
    <>
      <span className={styles.size}>
        {formatBytes(response.sizeBytes)}
        {response.isCut ? ', cut' : ''}
      </span>
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
