import { completeVariable } from '@shared/body/complete-variable';
import type { ForeignFix, ForeignVariable } from '@shared/http-file/foreign-variables';
import { isForeignValue } from '@shared/http-file/prepare-request';
import { isCommand } from '@shared/import/looks-importable';
import { useRef, type ComponentProps } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { selectEnvironment, useEnvironments } from '../../../session/environments';
import { credentialsHref } from '../../../session/routes';
import { AssistInput } from '../../../ui/assist-input';
import { Button, TextButton } from '../../../ui/button';
import { cx } from '../../../ui/cx';
import { useShownKeys } from '../../../panels/shown-keys';
import { ErrorLine } from '../../../ui/error-line';
import { cutDrawn, ForeignText } from '../../../ui/foreign-text';
import { fitField } from '../../../ui/fit-field';
import { Menu } from '../../../ui/menu';
import { Spinner } from '../../../ui/spinner';
import { saveTab } from '../tree/collection-actions';
import { listVariables } from './body-assist';
import { editRequestLine, pasteCommand, writeOwn } from './edit-actions';
import {
  describeExpressions,
  hideValues,
  isUnresolved,
  listExpressions,
  type ValueSources,
} from './describe-value';
import { describeMissing } from './describe-missing';
import { findEnvironmentWith } from '@shared/http-file/find-environment-with';
import type { RequestInsight } from './inspect-request';
import { isDirty, readValueSources } from '../requests-selectors';
import { updateTab, type OpenTab } from '../requests-store';
import styles from './request-line.module.css';
import { cancelSending, sendRequest, showRequest } from '../sending/sending-actions';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Method, address, Save and Send; under it what has no value yet. */
export function RequestLine({ tab, insight }: { tab: OpenTab; insight: RequestInsight }) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const { block, file, prepared } = insight;
  if (!block) return null;
  return (
    <div className={styles.wrap}>
      <div className={styles.line}>
        <Menu
          label="Method"
          trigger={
            <Button
              variant="quiet"
              className={styles.method}
              aria-label={`Method: ${cutDrawn(block.method)}`}
            >
              <ForeignText text={block.method} />
            </Button>
          }
          actions={methods.map((method) => ({
            id: method,
            label: method,
            onAction: () => editRequestLine(tab.id, { method }),
          }))}
        />
        <AddressField
          value={block.url}
          resolved={prepared ? hideValues(prepared.url, prepared.variablesUsed, environment) : block.url}
          sources={readValueSources(tab, environment, insight)}
          complete={(text, offset) =>
            Promise.resolve(completeVariable(text, offset, listVariables(insight)) ?? [])
          }
          onChange={(url) => editRequestLine(tab.id, { url })}
          onCommand={(text) => void pasteCommand(tab.id, text)}
        />
        {file.requests.length > 1 ? <RequestChoice tab={tab} insight={insight} /> : null}
        <Button onPress={() => void saveTab(tab.id)} obstacle={!isDirty(tab) && 'It is saved'}>
          Save
        </Button>
        <SendButton tab={tab} />
      </div>
      <UnresolvedLine tab={tab} insight={insight} />
      <NotesLine tab={tab} insight={insight} />
      <CredentialsLine insight={insight} />
    </div>
  );
}

function SendButton({ tab }: { tab: OpenTab }) {
  const keys = useShownKeys('send');
  if (tab.run) {
    return (
      <Button isOnce onPress={() => void cancelSending(tab.id)}>
        <Spinner label="Sending" size={12} />
        Cancel
      </Button>
    );
  }
  return (
    <Button
      isOnce
      variant="primary"
      shortcut={keys}
      aria-label="Send"
      onPress={() => void sendRequest(tab.id)}
    >
      Send
    </Button>
  );
}

/** Which request of a file with several. */
export function RequestChoice({ tab, insight }: { tab: OpenTab; insight: RequestInsight }) {
  const { requests } = insight.file;
  const nameOf = (index: number): string =>
    requests[index]?.name ?? `${requests[index]?.method ?? ''} line ${requests[index]?.line ?? ''}`;
  return (
    <Menu
      label="Requests of this file"
      trigger={
        <Button variant="quiet">
          {tab.requestIndex === -1 ? 'Show another' : `${tab.requestIndex + 1} of ${requests.length}`}
        </Button>
      }
      actions={requests.map((_, index) => ({
        id: String(index),
        label: nameOf(index),
        onAction: () => void showRequest(tab.id, index),
      }))}
    />
  );
}

/** A text field whose variables are coloured: the colours lie under transparent text. */
function AddressField(props: {
  value: string;
  resolved: string;
  sources: ValueSources;
  complete: ComponentProps<typeof AssistInput>['complete'];
  onChange: (value: string) => void;
  /** A command of curl was pasted: it says more than an address. */
  onCommand: (text: string) => void;
}) {
  const { value, resolved, sources, complete, onChange, onCommand } = props;
  const origins = cutDrawn(describeOrigins(value, resolved, sources) ?? '') || undefined;
  const underRef = useRef<HTMLDivElement>(null);
  return (
    <div className={styles.address} title={origins}>
      <div ref={underRef} className={styles.under} aria-hidden="true">
        {fitField(value, onChange)
          .value.split(/(\{\{[^{}]*\}\})/)
          .map((part, index) => (
            <span key={index} className={index % 2 === 1 ? variableClass(part, sources) : undefined}>
              {part}
            </span>
          ))}
      </div>
      <AssistInput
        label="Address"
        className={styles.input}
        aria-description={origins}
        value={value}
        onChange={onChange}
        complete={complete}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text/plain');
          if (!isCommand(text)) return;
          event.preventDefault();
          onCommand(text);
        }}
        onScroll={(event) => {
          if (underRef.current) underRef.current.scrollLeft = event.currentTarget.scrollLeft;
        }}
      />
    </div>
  );
}

/** The address as it is sent, and where each of its values comes from. */
function describeOrigins(value: string, resolved: string, sources: ValueSources): string | undefined {
  const origins = describeExpressions(value, sources);
  if (origins === undefined) return resolved === value ? undefined : resolved;
  return `${resolved}\n\n${origins}`;
}

function variableClass(part: string, sources: ValueSources): string | undefined {
  const [found] = listExpressions(part);
  const isMissing = found !== undefined && isUnresolved(found.name, sources);
  return cx(styles.variable, isMissing && styles.unresolved);
}

/** Says before anything is sent that no token can be had here. */
function CredentialsLine({ insight }: { insight: RequestInsight }) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const needsToken = insight.prepared?.headers.some(([, value]) => /\{\{\s*token\./.test(value)) ?? false;
  if (!needsToken || environment === null || environment.hasCredentials) return null;
  const message = `No consumer key and secret are saved for “${environment.label}”: no token can be fetched there.`;
  return (
    <ErrorLine error={{ message }} tone="warn" className={styles.notice}>
      <a href={credentialsHref(environment)}>Enter them</a>
    </ErrorLine>
  );
}

const listLines = (lines: readonly { line: number }[]): string =>
  `line ${lines[0]?.line ?? 0}${lines.length > 1 ? ` and ${lines.length - 1} more` : ''}`;

function writeNotice({ otherReadings }: OpenTab, { prepared }: RequestInsight): string {
  const { isDisabled = false, notes = [] } = prepared ?? {};
  const undone = isDisabled
    ? ['This request is disabled in its file and is not sent.']
    : notes.length > 0
      ? [`Not done of what the file says: ${listLines(notes)}.`]
      : [];
  const read = otherReadings.length > 0 ? [`Other clients read ${listLines(otherReadings)} otherwise.`] : [];
  return [...undone, ...read].join(' ');
}

/** Says beside Send that the file asks for more than is done, and once it is saved, what others would send. */
function NotesLine({ tab, insight }: { tab: OpenTab; insight: RequestInsight }) {
  const message = writeNotice(tab, insight);
  if (message === '') return null;
  return (
    <ErrorLine error={{ message }} tone="warn" className={styles.notice}>
      <TextButton onPress={() => updateTab(tab.id, { subTab: 'notes' })}>Show the notes</TextButton>
    </ErrorLine>
  );
}

const listFixes = (foreign: readonly ForeignVariable[]): ForeignFix[] =>
  foreign.flatMap(({ fix }) => fix ?? []);

const places = { url: 'the address', header: 'a header', body: 'the body' } as const;

function UnresolvedLine({ tab, insight }: { tab: OpenTab; insight: RequestInsight }) {
  const active = useAppStatus((state) => state.status?.environment ?? null);
  const environments = useEnvironments((state) => state.environments);
  const unresolved = (insight.prepared?.unresolved ?? []).filter((one) => !isForeignValue(one));
  if (unresolved.length === 0) return null;
  const foreign = insight.prepared?.foreign ?? [];
  const missing = unresolved.map(({ name, where }) => ({ name, place: places[where] }));
  const names = [...new Set(missing.map(({ name }) => name))];
  const found = active && findEnvironmentWith(names, active, environments, tab.collectionId);
  const elsewhere = found && { ...found.environment, has: found.has };
  return (
    <ErrorLine
      error={{ message: describeMissing(missing, elsewhere, foreign) }}
      tone={tab.isSendDoubted ? 'bad' : 'warn'}
      className={styles.notice}
    >
      {elsewhere ? (
        <TextButton
          onPress={() => void selectEnvironment(elsewhere.id)}
        >{`Use “${elsewhere.label}”`}</TextButton>
      ) : null}
      {listFixes(foreign).map((fix) => (
        <TextButton key={fix.label} onPress={() => writeOwn(tab.id, fix)}>
          {fix.label}
        </TextButton>
      ))}
      {tab.isSendDoubted ? (
        <TextButton isOnce onPress={() => void sendRequest(tab.id, true)}>
          Send it as it stands
        </TextButton>
      ) : null}
    </ErrorLine>
  );
}
