import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor/editor-props';
import { JsonView } from './json-view';
import { signedFieldClass } from './string-to-sign-spans';

const MonacoEditor = lazy(async () => ({
  default: (await import('./code-editor/monaco-editor')).MonacoEditor,
}));

/** A code editor; one session for each `documentKey`. It is loaded when first needed; until then the text stands there, readable. */
export function CodeEditor(props: CodeEditorProps) {
  const marks = props.marks?.map((mark) => ({ ...mark, className: signedFieldClass(mark.field) }));
  return (
    <Suspense fallback={<JsonView text={props.value} label={props.label} marks={marks} />}>
      <MonacoEditor key={props.documentKey} {...props} />
    </Suspense>
  );
}
