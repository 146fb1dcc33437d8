import { useEffect, useMemo, useState } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { Button } from '../../../ui/button';
import { CodeEditor } from '../../../ui/code-editor';
import type { CodeEditorHandle } from '../../../ui/code-editor/editor-props';
import { EmptyState } from '../../../ui/empty-state';
import { readValueSources } from '../requests-selectors';
import { useRequestsStore, type OpenTab } from '../requests-store';
import { createBodyAssist } from './body-assist';
import { useBodyLink } from './body-link';
import { editBody, trimLineBreaks } from './edit-actions';
import type { BodyProblem, RequestInsight } from './inspect-request';

interface BodyEditorProps {
  tab: OpenTab;
  insight: RequestInsight;
  problems: readonly BodyProblem[];
  editor: CodeEditorHandle | null;
  onEditor: (editor: CodeEditorHandle | null) => void;
}

/** The body as text, variables unresolved; knows the fields of its operation. */
export function BodyEditor({ tab, insight, problems, editor, onEditor }: BodyEditorProps) {
  const body = insight.block?.body ?? '';
  const lit = useRequestsStore((state) => state.lit);
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  // Line breaks at the ends are the file's, so the editor keeps those that are being typed.
  const [typed, setTyped] = useState(body);
  const value = trimLineBreaks(typed) === trimLineBreaks(body) ? typed : body;
  const offset = value === body ? 0 : leadingBreaks(value) - leadingBreaks(body);
  useReveal(tab.id, editor, offset);
  const marks = useMemo(() => insight.marks.map((mark) => shift(mark, offset)), [insight, offset]);
  const shown = useMemo(() => problems.map((problem) => shiftProblem(problem, offset)), [problems, offset]);
  const squiggles = useMemo(
    () => shown.flatMap(({ range, message, severity }) => (range ? [{ ...range, message, severity }] : [])),
    [shown],
  );
  if (insight.block?.body === null && typed === '') {
    return (
      <EmptyState title="No body" action={<Button onPress={() => setTyped('\n')}>Write one</Button>}>
        This request goes out without a body.
      </EmptyState>
    );
  }
  return (
    <CodeEditor
      label="Body"
      documentKey={`${tab.id}:${tab.requestIndex}`}
      value={value}
      onChange={(next) => {
        setTyped(next);
        editBody(tab.id, next);
      }}
      marks={marks}
      problems={squiggles}
      lit={lit}
      onHoverField={(field) => useRequestsStore.setState({ lit: field })}
      assist={createBodyAssist(insight, shown, readValueSources(tab, environment, insight))}
      onReady={onEditor}
    />
  );
}

/** Brings a range into view that was jumped to while no editor stood. */
function useReveal(tabId: string, editor: CodeEditorHandle | null, offset: number): void {
  const pending = useBodyLink((state) => state.pending);
  useEffect(() => {
    if (!editor || pending?.tabId !== tabId) return;
    editor.reveal(pending.start + offset, pending.end + offset);
    useBodyLink.setState({ pending: null });
  }, [editor, pending, tabId, offset]);
}

const shift = <T extends { start: number; end: number }>(range: T, offset: number): T =>
  offset === 0 ? range : { ...range, start: range.start + offset, end: range.end + offset };

const shiftProblem = (problem: BodyProblem, offset: number): BodyProblem => ({
  ...problem,
  range: problem.range && shift(problem.range, offset),
  fixes: problem.fixes.map((fix) => shift(fix, offset)),
});

const leadingBreaks = (text: string): number => /^[\r\n]*/.exec(text)?.[0].length ?? 0;
