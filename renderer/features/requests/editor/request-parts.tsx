import { readQuery } from '@shared/http-file/edit-rows';
import { useMemo } from 'react';
import { CodeEditor } from '../../../ui/code-editor';
import type { CodeEditorHandle } from '../../../ui/code-editor/editor-props';
import { FirstRows } from '../../../ui/first-rows';
import { ForeignText } from '../../../ui/foreign-text';
import { ErrorLine } from '../../../ui/error-line';
import { later } from '../../../ui/later';
import { describeUnwrapped } from '../../../ui/long-text';
import { Skeleton } from '../../../ui/spinner';
import { Tabs, type TabItem } from '../../../ui/tabs';
import { WrapSwitch } from '../../../ui/wrap-switch';
import { TextButton } from '../../../ui/button';
import { BodyEditor } from './body-editor';
import { editFile } from './edit-actions';
import type { BodyProblem, RequestInsight } from './inspect-request';
import type { PartProps } from './part-props';
import styles from './request-parts.module.css';
import { updateTab, type OpenTab, type SubTab } from '../requests-store';

const seldom = { instead: () => <Skeleton lines={6} />, isSeldom: true };
/** The grammar of expectations and the interface's shapes, for whoever opens that part. */
const ExpectEditor = later(async () => (await import('./expect-editor')).ExpectEditor, seldom);
/** Nine languages' worth of templates, which most sessions never look at. */
const CodePane = later(async () => (await import('./code-pane')).CodePane, seldom);
const BodyForm = later(async () => (await import('./body-form')).BodyForm);
const HeadersTable = later(async () => (await import('./head-tables')).HeadersTable);
const QueryTable = later(async () => (await import('./head-tables')).QueryTable);

interface PartsProps extends PartProps {
  problems: readonly BodyProblem[];
  editor: CodeEditorHandle | null;
  onEditor: (editor: CodeEditorHandle | null) => void;
}

/** Body, headers, code, expectations, notes and the file itself; only what there is. */
export function RequestParts(props: PartsProps) {
  const { tab, insight } = props;
  const items = listItems(insight, tab);
  const selected = items.some(({ id }) => id === tab.subTab) ? tab.subTab : (items[0]?.id ?? 'file');
  return (
    <Tabs
      label="Parts of the request"
      items={items}
      selected={selected}
      onSelect={(id) => updateTab(tab.id, { subTab: id as SubTab })}
      trailing={<PartSwitches tab={tab} selected={selected} body={insight.block?.body ?? null} />}
      render={(id) => {
        if (id === 'body') return tab.isFormShown ? <BodyForm {...props} /> : <BodyEditor {...props} />;
        if (id === 'query') return <QueryTable key={tab.requestIndex} tab={tab} insight={insight} />;
        if (id === 'headers') return <HeadersTable key={tab.requestIndex} tab={tab} insight={insight} />;
        if (id === 'code') return <CodePane insight={insight} />;
        if (id === 'expect') return <ExpectEditor tab={tab} insight={insight} />;
        if (id === 'notes') return <Notes tab={tab} insight={insight} />;
        return <FileEditor tab={tab} insight={insight} />;
      }}
    />
  );
}

/** Text or form, and whether lines wrap. */
function PartSwitches({ tab, selected, body }: { tab: OpenTab; selected: string; body: string | null }) {
  const isForm = selected === 'body' && tab.isFormShown;
  const edited = selected === 'file' ? tab.text : (body ?? '');
  const whyNot = useMemo(() => describeUnwrapped(edited), [edited]);
  const showForm = (isFormShown: boolean): void => updateTab(tab.id, { isFormShown });
  return (
    <>
      {selected === 'body' && body !== null ? (
        <TextButton className={styles.view} aria-pressed={isForm} onPress={() => showForm(!isForm)}>
          Form
        </TextButton>
      ) : null}
      {(selected === 'body' && !isForm) || selected === 'file' ? <WrapSwitch whyNot={whyNot} /> : null}
    </>
  );
}

function listItems({ block, file, prepared }: RequestInsight, tab: OpenTab): TabItem[] {
  const fileItem = { id: 'file', label: 'File', count: file.faults.length || null };
  if (!block) return [fileItem];
  const noteCount = (prepared?.notes.length ?? 0) + tab.otherReadings.length;
  return [
    { id: 'body', label: 'Body' },
    { id: 'query', label: 'Query', count: readQuery(file, block).rows.length || null },
    { id: 'headers', label: 'Headers', count: block.headers.length },
    { id: 'code', label: 'Code' },
    { id: 'expect', label: 'Expect', count: expectations(block).length || null },
    ...(noteCount > 0 ? [{ id: 'notes', label: 'Notes', count: noteCount }] : []),
    fileItem,
  ];
}

const expectations = (block: NonNullable<RequestInsight['block']>): string[] =>
  block.annotations.filter(({ name }) => name === 'expect').map(({ value }) => value);

function Notes({ tab, insight }: PartProps) {
  const notes = [...(insight.prepared?.notes ?? []), ...tab.otherReadings].toSorted(
    (a, b) => a.line - b.line,
  );
  return (
    <ul className={styles.notes}>
      <FirstRows items={notes} more={(way) => <li>{way}</li>}>
        {(note) => (
          <li key={`${note.line}-${note.message}`}>
            <span>Line {note.line}</span>
            <ForeignText text={note.message} hasCode />
          </li>
        )}
      </FirstRows>
    </ul>
  );
}

function FileEditor({ tab, insight }: PartProps) {
  const { faults } = insight.file;
  const starts = lineStarts(tab.text);
  return (
    <div className={styles.file}>
      <FirstRows items={faults} more={(way) => <p className={styles.fault}>{way}</p>}>
        {(fault) => (
          <ErrorLine
            key={`${fault.line}-${fault.message}`}
            error={{ message: `Line ${fault.line}: ${fault.message}` }}
            className={styles.fault}
          />
        )}
      </FirstRows>
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
