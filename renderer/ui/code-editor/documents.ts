import { onForgetDocument } from './forget-document';
import { toEditorText } from './line-ends';
import { monaco } from './monaco-setup';

/** One text being edited: the editor's model, and the source it stands for. */
export interface EditorDocument {
  model: monaco.editor.ITextModel;
  /** With its own line ends and byte order mark; the model has neither. */
  source: string;
  viewState: monaco.editor.ICodeEditorViewState | null;
}

const documents = new Map<string, EditorDocument>();

onForgetDocument((documentKey) => {
  for (const [key, { model }] of documents) {
    if (key !== documentKey && !key.startsWith(`${documentKey}:`)) continue;
    model.dispose();
    documents.delete(key);
  }
});

/** Gives the document of a key, made at first asking. */
export function openDocument(documentKey: string, source: string, language: string): EditorDocument {
  const known = documents.get(documentKey);
  if (known) return known;
  const model = monaco.editor.createModel(toEditorText(source), language);
  model.setEOL(monaco.editor.EndOfLineSequence.LF);
  model.updateOptions({ tabSize: 2, insertSpaces: true });
  keepBracketsPlain(model);
  const opened = { model, source, viewState: null };
  documents.set(documentKey, opened);
  return opened;
}

/** Above this the editor does without what reads the whole text again for each key stroke. */
export const longChars = 200_000;

/** Of one long line so much is drawn, and drawn anew at each key stroke; what stands behind is edited unseen, or laid out first. */
const drawnColumns = 2_000;

/**
 * Keeps the colours of brackets off, for which all of a text would be parsed at each key stroke. Each editor that is made and each
 * option that one is given sets every model back to the defaults: it is said again whenever a model's options change.
 */
function keepBracketsPlain(model: monaco.editor.ITextModel): void {
  const disable = (): void =>
    model.updateOptions({
      bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
    });
  disable();
  model.onDidChangeOptions(() => {
    if (model.getOptions().bracketPairColorizationOptions.enabled) disable();
  });
}

/** Turns off what would read the whole of a long text at each key stroke. */
export function calmEditor(editor: monaco.editor.IStandaloneCodeEditor, { model }: EditorDocument): void {
  if (model.getValueLength() <= longChars) return;
  editor.updateOptions({
    matchBrackets: 'never',
    folding: false,
    stopRenderingLineAfter: drawnColumns,
  });
}
