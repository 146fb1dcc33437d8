import type { ShownSpan } from '../string-to-sign-spans';
import type { CodeEditorHandle, CodeEditorProps, EditorProblem } from './editor-props';
import { cx } from '../cx';
import { indentJson } from '../json-tokens';
import { LONGEST_IN_EDITOR, refuseLongPaste, TOO_LONG_FOR_EDITOR } from '../refuse-long-paste';
import { signedFieldClass } from '../string-to-sign-spans';
import { escapeMarkdown, TypingAssist } from './assist-typing';
import { calmEditor, openDocument, type EditorDocument } from './documents';
import { editorOptions } from './editor-options';
import { applyEditorChanges, findChange, toEditorOffset, toEditorText, toSourceOffset } from './line-ends';
import styles from './monaco-editor.module.css';
import { monaco } from './monaco-setup';

/** One editor on the screen, over one document. All offsets are of the source text. */
export class EditorSession {
  private readonly document: EditorDocument;
  private readonly editor: monaco.editor.IStandaloneCodeEditor;
  private readonly decorations: monaco.editor.IEditorDecorationsCollection;
  private readonly problems: monaco.editor.IEditorDecorationsCollection;
  private readonly stops: monaco.IDisposable[] = [];
  private marks: readonly ShownSpan[] = [];
  private isSetting = false;

  /** @param read - gives the props of the moment: callbacks change with each drawing */
  constructor(
    element: HTMLElement,
    private readonly read: () => CodeEditorProps,
  ) {
    const { documentKey, value, language = 'json', label, isReadOnly, doesTabLeave = false } = read();
    this.document = openDocument(documentKey, value, language);
    this.editor = monaco.editor.create(element, {
      ...editorOptions,
      ariaLabel: label,
      model: this.document.model,
      readOnly: isReadOnly ?? false,
      tabFocusMode: doesTabLeave,
    });
    calmEditor(this.editor, this.document);
    this.editor.restoreViewState(this.document.viewState);
    this.decorations = this.editor.createDecorationsCollection();
    this.problems = this.editor.createDecorationsCollection();
    this.stops.push(
      this.addLayOut(),
      this.document.model.onDidChangeContent((event) => this.takeChanges(event.changes)),
      // After the line above: what it asks for is of the text as changed.
      new TypingAssist(this.editor, this.document, () => this.read().assist),
    );
    this.followPointer();
    this.refuseLongPastes(element);
    this.exposeForTests();
  }

  /** What is pasted is laid out before it can be taken back. */
  private refuseLongPastes(element: HTMLElement): void {
    const said = document.createElement('p');
    said.className = styles.refused ?? '';
    said.role = 'alert';
    const forget = (): void => said.remove();
    const refuse = (event: ClipboardEvent): void => {
      refuseLongPaste(
        event,
        () => {
          event.stopImmediatePropagation();
          said.textContent = TOO_LONG_FOR_EDITOR;
          element.append(said);
        },
        LONGEST_IN_EDITOR,
      );
    };
    element.addEventListener('paste', refuse, true);
    this.stops.push(
      { dispose: () => element.removeEventListener('paste', refuse, true) },
      { dispose: forget },
      this.document.model.onDidChangeContent(forget),
      this.editor.onDidBlurEditorText(forget),
    );
  }

  handle(): CodeEditorHandle {
    return {
      reveal: (start, end) => {
        const range = this.toRange(start, end);
        this.editor.setSelection(range);
        this.editor.revealRangeInCenterIfOutsideViewport(range);
        this.editor.focus();
      },
      focus: () => this.editor.focus(),
    };
  }

  /** Brings in a value that did not come from typing (a fix, a reload); undo takes it back. */
  setValue(value: string): void {
    if (this.document.source === value) return;
    this.isSetting = true;
    this.replaceText(toEditorText(value));
    this.isSetting = false;
    this.document.source = value;
  }

  setReadOnly(isReadOnly: boolean): void {
    this.editor.updateOptions({ readOnly: isReadOnly });
  }

  setWrapped(isWrapped: boolean): void {
    this.editor.updateOptions({ wordWrap: isWrapped ? 'on' : 'off' });
  }

  setMarks(marks: readonly ShownSpan[], lit: ShownSpan['field'] | null): void {
    this.marks = marks;
    this.decorations.set(
      marks.map((mark) => ({
        range: this.toRange(mark.start, mark.end),
        options: {
          inlineClassName: cx(signedFieldClass(mark.field), lit === mark.field && styles.lit),
          stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
        },
      })),
    );
  }

  setProblems(problems: readonly EditorProblem[]): void {
    this.problems.set(
      problems.map(({ start, end, message, severity }) => ({
        range: this.toRange(start, Math.max(end, start + 1)),
        options: {
          className: `squiggly-${severity}`,
          hoverMessage: { value: escapeMarkdown(message) },
          stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
        },
      })),
    );
  }

  dispose(): void {
    this.document.viewState = this.editor.saveViewState();
    for (const stop of this.stops) stop.dispose();
    this.editor.dispose();
    delete window.__countersignEditors?.[this.read().label];
  }

  private toRange(start: number, end: number): monaco.Range {
    const { model, source } = this.document;
    return monaco.Range.fromPositions(
      model.getPositionAt(toEditorOffset(source, start)),
      model.getPositionAt(toEditorOffset(source, end)),
    );
  }

  private takeChanges(changes: readonly monaco.editor.IModelContentChange[]): void {
    if (this.isSetting) return;
    const next = applyEditorChanges(
      this.document.source,
      changes.map(({ rangeOffset, rangeLength, text }) => ({
        start: rangeOffset,
        end: rangeOffset + rangeLength,
        text,
      })),
    );
    if (next === this.document.source) return;
    this.document.source = next;
    this.read().onChange?.(next);
  }

  /** Shift+Alt+F, and in the menu: indents anew, literals stay as written. */
  private addLayOut(): monaco.IDisposable {
    return this.editor.addAction({
      id: 'countersign.lay-out',
      label: 'Lay out JSON',
      keybindings: [monaco.KeyMod.Shift | monaco.KeyMod.Alt | monaco.KeyCode.KeyF],
      contextMenuGroupId: '1_modification',
      precondition: '!editorReadonly && editorLangId == json',
      run: () => {
        const laidOut = indentJson(this.document.model.getValue());
        if (laidOut !== null) this.replaceText(laidOut);
      },
    });
  }

  private followPointer(): void {
    let hovered: ShownSpan['field'] | null = null;
    const tell = (field: ShownSpan['field'] | null): void => {
      if (field === hovered) return;
      hovered = field;
      this.read().onHoverField?.(field);
    };
    this.editor.onMouseMove(({ target }) => {
      if (!target.position) return tell(null);
      const { model, source } = this.document;
      const offset = toSourceOffset(source, model.getOffsetAt(target.position));
      tell(this.marks.find(({ start, end }) => offset >= start && offset <= end)?.field ?? null);
    });
    this.editor.onMouseLeave(() => tell(null));
  }

  private replaceText(text: string): void {
    const { model } = this.document;
    const change = findChange(model.getValue(), text);
    if (!change) return;
    const range = monaco.Range.fromPositions(
      model.getPositionAt(change.start),
      model.getPositionAt(change.end),
    );
    model.pushStackElement();
    model.pushEditOperations([], [{ range, text: change.text }], () => null);
    model.pushStackElement();
  }

  private exposeForTests(): void {
    window.__countersignEditors ??= {};
    window.__countersignEditors[this.read().label] = {
      getValue: () => this.document.source,
      setValue: (value) => this.replaceText(toEditorText(value)),
    };
  }
}
