import { lazy, Suspense, useEffect, useState } from 'react';
import { CodeEditor } from '../../../ui/code-editor';
import type { CodeEditorHandle, EditorProblem } from '../../../ui/code-editor/editor-props';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { Skeleton } from '../../../ui/spinner';
import { Tabs, type TabItem } from '../../../ui/tabs';
import { WrapSwitch } from '../../../ui/wrap-switch';
import { Button } from '../../../ui/button';
import { useBodyLink } from './body-link';
import { editBody, editFile, trimLineBreaks } from './edit-actions';
import { HeadersEditor } from './headers-editor';
import type { RequestInsight } from './inspect-request';
import styles from './request-parts.module.css';
import { updateTab, useRequestsStore, type OpenTab, type SubTab } from '../requests-store';

/** Nine languages' worth of templates, which most sessions never look at. */
/** The grammar of expectations and the interface's shapes, for whoever opens that part. */
const ExpectEditor = lazy(() =>
  import('./expect-editor').then((module) => ({ default: module.ExpectEditor })),
);
const CodePane = lazy(() => import('./code-pane').then((module) => ({ default: module.CodePane })));

interface PartProps {
  tab: OpenTab;
  insight: RequestInsight;
}

interface PartsProps extends PartProps {
  editor: CodeEditorHandle | null;
  onEditor: (editor: CodeEditorHandle | null) => void;
}

/** Body, headers, code, expectations, notes and the file itself; only what there is. */
export function RequestParts({ tab, insight, editor, onEditor }: PartsProps) {
  const items = listItems(insight, tab);
  const selected = items.some(({ id }) => id === tab.subTab) ? tab.subTab : (items[0]?.id ?? 'file');
  return (
    <Tabs
      label="Parts of the request"
      items={items}
      selected={selected}
      onSelect={(id) => updateTab(tab.id, { subTab: id as SubTab })}
      trailing={selected === 'body' || selected === 'file' ? <WrapSwitch /> : null}
      render={(id) => {
        if (id === 'body')
          return <BodyEditor tab={tab} insight={insight} editor={editor} onEditor={onEditor} />;
        if (id === 'headers') return <HeadersEditor key={tab.requestIndex} tab={tab} insight={insight} />;
        if (id === 'code')
          return (
            <Suspense fallback={<Skeleton lines={6} />}>
              <CodePane insight={insight} />
            </Suspense>
          );
        if (id === 'expect')
          return (
            <Suspense fallback={<Skeleton lines={6} />}>
              <ExpectEditor tab={tab} insight={insight} />
            </Suspense>
          );
        if (id === 'notes') return <Notes tab={tab} insight={insight} />;
        return <FileEditor tab={tab} insight={insight} />;
      }}
    />
  );
}

function listItems({ block, file, prepared }: RequestInsight, tab: OpenTab): TabItem[] {
  const fileItem = { id: 'file', label: 'File', count: file.faults.length || null };
  if (!block) return [fileItem];
  const noteCount = (prepared?.notes.length ?? 0) + tab.otherReadings.length;
  return [
    { id: 'body', label: 'Body' },
    { id: 'headers', label: 'Headers', count: block.headers.length },
    { id: 'code', label: 'Code' },
    { id: 'expect', label: 'Expect', count: expectations(block).length || null },
    ...(noteCount > 0 ? [{ id: 'notes', label: 'Notes', count: noteCount }] : []),
    fileItem,
  ];
}

const expectations = (block: NonNullable<RequestInsight['block']>): string[] =>
  block.annotations.filter(({ name }) => name === 'expect').map(({ value }) => value);

function BodyEditor({ tab, insight, editor, onEditor }: PartsProps) {
  const body = insight.block?.body ?? '';
  const lit = useRequestsStore((state) => state.lit);
  const pending = useBodyLink((state) => state.pending);
  // Line breaks at the ends are the file's, so the editor keeps those that are being typed.
  const [typed, setTyped] = useState(body);
  const value = trimLineBreaks(typed) === trimLineBreaks(body) ? typed : body;
  const offset = value === body ? 0 : leadingBreaks(value) - leadingBreaks(body);
  useEffect(() => {
    if (!editor || pending?.tabId !== tab.id) return;
    editor.reveal(pending.start + offset, pending.end + offset);
    useBodyLink.setState({ pending: null });
  }, [editor, pending, tab.id, offset]);
  if (insight.block?.body === null && typed === '') {
    return (
      <EmptyState title="No body" action={<Button onPress={() => setTyped('\n')}>Write one</Button>}>
        This request goes out without a body.
      </EmptyState>
    );
  }
  const shift = <T extends { start: number; end: number }>(range: T): T => ({
    ...range,
    start: range.start + offset,
    end: range.end + offset,
  });
  return (
    <CodeEditor
      label="Body"
      documentKey={`${tab.id}:${tab.requestIndex}`}
      value={value}
      onChange={(next) => {
        setTyped(next);
        editBody(tab.id, next);
      }}
      marks={insight.marks.map(shift)}
      problems={insight.problems.flatMap(({ range, message, severity }): EditorProblem[] =>
        range ? [shift({ ...range, message, severity })] : [],
      )}
      lit={lit}
      onHoverField={(field) => useRequestsStore.setState({ lit: field })}
      onReady={onEditor}
    />
  );
}

const leadingBreaks = (text: string): number => /^[\r\n]*/.exec(text)?.[0].length ?? 0;

function Notes({ tab, insight }: PartProps) {
  const notes = [...(insight.prepared?.notes ?? []), ...tab.otherReadings].toSorted(
    (a, b) => a.line - b.line,
  );
  return (
    <ul className={styles.notes}>
      {notes.map((note) => (
        <li key={`${note.line}-${note.message}`}>
          <span>Line {note.line}</span>
          {note.message}
        </li>
      ))}
    </ul>
  );
}

function FileEditor({ tab, insight }: PartProps) {
  const { faults } = insight.file;
  const starts = lineStarts(tab.text);
  return (
    <div className={styles.file}>
      {faults.map((fault) => (
        <ErrorLine
          key={`${fault.line}-${fault.message}`}
          error={{ message: `Line ${fault.line}: ${fault.message}` }}
          className={styles.fault}
        />
      ))}
      <div className={styles.editor}>
        <CodeEditor
          label="File"
          documentKey={`${tab.id}:file`}
          language="plaintext"
          value={tab.text}
          onChange={(text) => editFile(tab.id, text)}
          problems={faults.map(({ line, message }) => ({
            start: starts[line - 1] ?? 0,
            end: (starts[line] ?? tab.text.length + 1) - 1,
            message,
            severity: 'error',
          }))}
        />
      </div>
    </div>
  );
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
