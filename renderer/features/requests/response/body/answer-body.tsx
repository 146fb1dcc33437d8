import { ChevronDown, ChevronUp, Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Exchange } from '@shared/contract/sending';
import type { ErrorReply } from '@shared/errors';
import { findHeader } from '@shared/find-header';
import { findWhyUnread } from '@shared/payments/unread-answer';
import { readWholeAnswer } from '../../../../session/whole-answer';
import { toClientError } from '../../../../transport/client-error';
import { IconButton, TextButton } from '../../../../ui/button';
import { Choice } from '../../../../ui/choice';
import { CopyButton } from '../../../../ui/copy-text';
import { findBrokenJson, type BrokenJson } from '../../../../ui/describe-broken-json';
import { describeCharset } from '../../../../ui/describe-charset';
import { describeShortened } from '../../../../ui/describe-shortened';
import { ErrorLine } from '../../../../ui/error-line';
import { JsonView } from '../../../../ui/json-view';
import { useLaidOutJson } from '../../../../ui/laid-out-json';
import { Skeleton } from '../../../../ui/spinner';
import { SearchField } from '../../../../ui/text-field';
import { saveAnswer } from '../save-answer';
import type { FilterResult } from '../../../../ui/json-document/json-document';
import { useJsonDocument, type JsonDocumentReader } from '../../../../ui/json-document/json-document-reader';
import { JsonDocumentTree } from '../../../../ui/json-document/json-document-tree';
import styles from './answer-body.module.css';
import { AnswerWords } from './answer-words';
import { useTextHits } from '../../../../ui/json-document/text-search';
import column from '../../../../ui/column.module.css';

const modes = [
  { id: 'pretty', label: 'Pretty' },
  { id: 'raw', label: 'Raw' },
  { id: 'tree', label: 'Tree' },
  { id: 'words', label: 'In words' },
] as const;
type Mode = (typeof modes)[number]['id'];

/** The body of an answer: laid out, as received, as a tree or in words; searched, or through a filter. */
export function AnswerBody({ tabId, exchange, body }: { tabId: string; exchange: Exchange; body: string }) {
  const [mode, setMode] = useState<Mode>('pretty');
  const [find, setFind] = useState('');
  const [path, setPath] = useState('');
  const [isWholeAsked, setWholeAsked] = useState(false);
  const isNeeded = isWholeAsked || find !== '' || path !== '' || mode === 'tree';
  const { text, isPart, error: unavailable } = useWholeText(exchange, body, isNeeded);
  const { reader, error } = useJsonDocument(isPart || (mode !== 'tree' && path === '') ? null : text);
  const whyUnread = exchange.response ? findWhyUnread(exchange.response) : null;
  // What breaks off is no fault of the service's.
  const fault = error && whyUnread !== null ? { ...error, message: `It is ${whyUnread}.` } : error;
  const filtered = useFiltered(reader, path);
  const shared = {
    exchange,
    whyUnread,
    find,
    onFind: setFind,
    onWhole: isPart ? () => setWholeAsked(true) : null,
  };
  return (
    <div className={column.whole}>
      <div className={styles.bar}>
        <Choice label="How the body is shown" options={modes} selected={mode} onSelect={setMode} />
        <div className={styles.tools}>
          <SearchField
            label="Filter by JSON Pointer or JSONPath"
            placeholder="Filter: $.data or /data"
            value={path}
            onChange={setPath}
            className={styles.filter}
          />
          <CopyButton text={() => readWholeAnswer(exchange)} name="Copy the response body" />
          <IconButton label="Save the body to a file" onPress={() => void saveAnswer(tabId, exchange)}>
            <Download size={14} />
          </IconButton>
        </div>
      </div>
      {unavailable ? <ErrorLine error={unavailable} className={styles.fault} /> : null}
      {path !== '' ? (
        <Filtered {...shared} fault={fault} filtered={filtered} />
      ) : mode === 'words' ? (
        <AnswerWords body={text} whyUnread={whyUnread} />
      ) : mode === 'tree' ? (
        <Tree {...shared} reader={reader} fault={fault} />
      ) : (
        <Text {...shared} text={text} isRaw={mode === 'raw'} />
      )}
    </div>
  );
}

/** The beginning at once, the whole when something asks for it. */
function useWholeText(exchange: Exchange, body: string, isWanted: boolean) {
  const [whole, setWhole] = useState<string | null>(null);
  const [error, setError] = useState<{ message: string } | null>(null);
  const isPart = exchange.response?.isBodyShortened === true && whole === null;
  useEffect(() => {
    if (!isPart || !isWanted) return undefined;
    let isGone = false;
    readWholeAnswer(exchange).then(
      (text) => isGone || setWhole(text),
      (caught: unknown) => isGone || setError(toClientError(caught)),
    );
    return () => void (isGone = true);
  }, [exchange, isPart, isWanted]);
  return { text: whole ?? body, isPart, error };
}

interface Filter {
  path: string;
  result: FilterResult | null;
  error: ErrorReply | null;
}

/** What an earlier path found stays for so long: of most answers the next is there by then. */
const keptMs = 250;

/** What a path finds; null until that is known. */
function useFiltered(reader: JsonDocumentReader | null, path: string): Filter | null {
  const [filter, setFilter] = useState<Filter | null>(null);
  useEffect(() => {
    if (reader === null || path === '') return undefined;
    let isGone = false;
    const timer = setTimeout(() => setFilter(null), keptMs);
    const end = (): void => {
      clearTimeout(timer);
      isGone = true;
    };
    const take = (found: Filter): void => {
      if (isGone) return;
      end();
      setFilter(found);
    };
    reader.ask('filter', path).then(
      (result) => take({ path, result, error: null }),
      (error: unknown) => take({ path, result: null, error: error as ErrorReply }),
    );
    return end;
  }, [reader, path]);
  return path === '' ? null : filter;
}

interface Shared {
  exchange: Exchange;
  /** Why the text is not what the service said. */
  whyUnread: string | null;
  find: string;
  onFind: (find: string) => void;
  /** Shows the whole where the beginning alone is shown. */
  onWhole: (() => void) | null;
}

function Filtered({
  fault,
  filtered,
  ...shared
}: Shared & { fault: ErrorReply | null; filtered: Filter | null }) {
  const error = fault ?? filtered?.error ?? null;
  const found = filtered?.result ?? null;
  // Of several, each stands behind its path.
  const isOne = found?.count === 1 && !found.isCut;
  const laidOut = useLaidOutJson(isOne ? found.text : '');
  if (error) return <ErrorLine error={error} tone="warn" className={styles.fault} />;
  if (found === null) return <Skeleton lines={3} />;
  const { count, areMore, isCut, text } = found;
  const cut = isCut ? `; ${count === 1 ? 'its beginning is' : 'the first are'} shown` : '';
  const said = `${areMore ? 'More than ' : ''}${count.toLocaleString('en')}`;
  const note = count === 0 ? 'Nothing stands there.' : `${said} found${cut}.`;
  return (
    <Searched
      {...shared}
      text={isOne ? laidOut : text}
      label="What the filter finds"
      isPlain={false}
      note={note}
    />
  );
}

function Text({ text, isRaw, ...shared }: Shared & { text: string; isRaw: boolean }) {
  const { exchange, onWhole, whyUnread } = shared;
  const contentType = findHeader(exchange.response?.headers ?? [], 'content-type');
  const isWhole = onWhole === null && whyUnread === null;
  const fault = useMemo(
    () => (isWhole ? findBrokenJson(text, contentType) : null),
    [isWhole, text, contentType],
  );
  // What is broken stands as it came, or its place would not be where it is said to be.
  const isAsReceived = isRaw || fault !== null;
  const laidOut = useLaidOutJson(isAsReceived ? '' : text);
  const shortened = onWhole ? describeShortened(exchange) : null;
  return (
    <Searched
      {...shared}
      text={isAsReceived ? text : laidOut}
      label={isRaw ? 'Response body as received' : 'Response body'}
      isPlain={isRaw}
      fault={fault}
      note={
        shortened && onWhole ? (
          <>
            {shortened} <TextButton onPress={onWhole}>Show them all</TextButton>
          </>
        ) : whyUnread === null ? (
          exchange.response && describeUnreadable(exchange.response)
        ) : (
          `It is ${whyUnread}.`
        )
      }
    />
  );
}

/** Beside Save and the Wire tab, which have the bytes of what is no text. */
function describeUnreadable(response: NonNullable<Exchange['response']>): string | null {
  const said = describeCharset(response);
  const isText = said === null || !response.body.includes('\ufffd');
  return isText ? said : `${said} Save keeps them as they came, and Wire shows them.`;
}

interface SearchedProps extends Shared {
  text: string;
  label: string;
  isPlain: boolean;
  fault?: BrokenJson | null;
  note: React.ReactNode;
}

function Searched({ text, label, isPlain, fault = null, note, find, onFind }: SearchedProps) {
  const { hits, isCut } = useTextHits(text, find);
  const [at, setAt] = useState({ find: '', index: 0 });
  const index = at.find === find && at.index < hits.length ? at.index : 0;
  const marks = hits.map((hit, place) => ({
    ...hit,
    className: `${styles.hit} ${place === index ? styles.currentHit : ''}`,
  }));
  return (
    <>
      <div className={styles.text}>
        <JsonView
          text={text}
          label={label}
          isPlain={isPlain}
          fault={fault}
          note={note}
          marks={marks}
          shownAt={hits[index]?.start ?? null}
        />
      </div>
      <FindBar
        find={find}
        onFind={onFind}
        count={hits.length}
        isCut={isCut}
        index={index}
        onGo={(next) => setAt({ find, index: next })}
      />
    </>
  );
}

function Tree({
  reader,
  fault,
  find,
  onFind,
}: Shared & { reader: JsonDocumentReader | null; fault: ErrorReply | null }) {
  const [found, setFound] = useState<{ find: string; nodes: readonly number[]; index: number }>({
    find: '',
    nodes: [],
    index: 0,
  });
  useEffect(() => {
    if (reader === null || find === '') return undefined;
    let isGone = false;
    void reader.ask('find', find).then((nodes) => isGone || setFound({ find, nodes, index: 0 }));
    return () => void (isGone = true);
  }, [reader, find]);
  if (fault) return <ErrorLine error={fault} tone="warn" className={styles.fault} />;
  if (reader === null) return <Skeleton lines={6} />;
  const nodes = found.find === find && find !== '' ? found.nodes : [];
  return (
    <>
      <div className={styles.text}>
        <JsonDocumentTree reader={reader} label="Response body as a tree" hit={nodes[found.index] ?? null} />
      </div>
      <FindBar
        find={find}
        onFind={onFind}
        count={nodes.length}
        isCut={nodes.length === 1000}
        index={found.index}
        onGo={(index) => setFound({ ...found, index })}
      />
    </>
  );
}

interface FindBarProps {
  find: string;
  onFind: (find: string) => void;
  count: number;
  isCut: boolean;
  index: number;
  onGo: (index: number) => void;
}

/** Below the body: what to look for, how often it is there, the next one. Enter goes on, Shift+Enter back. */
function FindBar({ find, onFind, count, isCut, index, onGo }: FindBarProps) {
  const go = (by: number): void => (count > 0 ? onGo((index + by + count) % count) : undefined);
  return (
    <div
      className={styles.findBar}
      role="search"
      aria-label="In the answer"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) go(event.shiftKey ? -1 : 1);
      }}
    >
      <SearchField
        label="Find in the answer"
        placeholder="Find"
        value={find}
        onChange={onFind}
        isBare
        className={styles.find}
      />
      <span className={styles.count} role="status">
        {find === ''
          ? ''
          : count === 0
            ? 'None'
            : `${(index + 1).toLocaleString('en')} of ${count.toLocaleString('en')}${isCut ? '+' : ''}`}
      </span>
      {find === '' ? null : (
        <>
          <IconButton label="Previous" isDisabled={count === 0} onPress={() => go(-1)}>
            <ChevronUp size={14} />
          </IconButton>
          <IconButton label="Next" isDisabled={count === 0} onPress={() => go(1)}>
            <ChevronDown size={14} />
          </IconButton>
        </>
      )}
    </div>
  );
}
