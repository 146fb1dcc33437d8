import { useCallback, useEffect, useRef } from 'react';
import type { CodeEditorProps } from './editor-props';
import { cx } from '../cx';
import { EditorSession } from './editor-session';
import { describeUnwrapped } from '../long-text';
import { useWrap } from '../wrap-switch';
import styles from './monaco-editor.module.css';

const none: never[] = [];

/** The editor itself; use `CodeEditor`, which loads it when needed. */
export function MonacoEditor(props: CodeEditorProps) {
  const { documentKey, value, isReadOnly = false, marks = none, problems = none, lit = null } = props;
  const isWrapped = useWrap() && describeUnwrapped(value) === null;
  const propsRef = useRef(props);
  const sessionRef = useRef<EditorSession | null>(null);
  // A layout of hooks that matters: the ref callback makes the session, the effects below feed it.
  const attach = useCallback((element: HTMLDivElement) => {
    const session = new EditorSession(element, () => propsRef.current);
    sessionRef.current = session;
    propsRef.current.onReady?.(session.handle());
    return () => {
      propsRef.current.onReady?.(null);
      sessionRef.current = null;
      session.dispose();
    };
  }, []);
  useEffect(() => {
    propsRef.current = props;
  });
  useEffect(() => sessionRef.current?.setValue(value), [value, documentKey]);
  useEffect(() => sessionRef.current?.setReadOnly(isReadOnly), [isReadOnly, documentKey]);
  useEffect(() => sessionRef.current?.setWrapped(isWrapped), [isWrapped, documentKey]);
  useEffect(() => sessionRef.current?.setMarks(marks, lit), [marks, lit, value, documentKey]);
  useEffect(() => sessionRef.current?.setProblems(problems), [problems, value, documentKey]);
  // Monaco's menus stand beside the editor's own element: they have its colours by this class.
  return <div ref={attach} className={cx('monaco-component', styles.editor)} data-editor={props.label} />;
}
