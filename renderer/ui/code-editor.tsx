import type { CodeEditorProps } from './code-editor/editor-props';
import { JsonView } from './json-view';
import { later } from './later';
import { signedFieldClass } from './string-to-sign-spans';

const MonacoEditor = later(async () => (await import('./code-editor/monaco-editor')).MonacoEditor, {
  instead: ReadableText,
  isSeldom: true,
});

/** A code editor; one session for each `documentKey`. It is loaded when first needed; until then the text stands there, readable. */
export function CodeEditor(props: CodeEditorProps) {
  return <MonacoEditor key={props.documentKey} {...props} />;
}

function ReadableText({ value, label, marks }: CodeEditorProps) {
  const shown = marks?.map((mark) => ({ ...mark, className: signedFieldClass(mark.field) }));
  return <JsonView text={value} label={label} marks={shown} />;
}
