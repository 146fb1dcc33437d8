import { longChars, type EditorDocument } from './documents';
import type { Completion } from '@shared/body/complete-variable';
import type { EditorAssist } from './editor-props';
import { toEditorOffset, toSourceOffset } from './line-ends';
import { monaco } from './monaco-setup';
import { OfferList } from './offer-list';

/** Typed characters that something may be offered after. */
const opening = /^["{$%\w.-]$/;
const delayMs = 60;

const assists = new WeakMap<monaco.editor.ITextModel, () => EditorAssist | undefined>();
const documents = new WeakMap<monaco.editor.ITextModel, EditorDocument>();

/** Offers completions and fixes in one editor, and lets what stands under the pointer be described. */
export class TypingAssist {
  private readonly list: OfferList;
  private readonly stops: monaco.IDisposable[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts askings: an answer that comes late is for a text that is gone. */
  private asked = 0;
  private position: monaco.IPosition | null = null;
  private readonly widget: monaco.editor.IContentWidget;

  constructor(
    private readonly editor: monaco.editor.IStandaloneCodeEditor,
    private readonly document: EditorDocument,
    private readonly read: () => EditorAssist | undefined,
  ) {
    assists.set(document.model, read);
    documents.set(document.model, document);
    const input = (): HTMLElement | null =>
      editor.getDomNode()?.querySelector<HTMLElement>('.native-edit-context, textarea.inputarea') ?? null;
    this.list = new OfferList(
      input,
      () => document.source,
      (offer) => this.take(offer),
    );
    this.widget = {
      allowEditorOverflow: true,
      getId: () => 'countersign.offers',
      getDomNode: () => this.list.element,
      getPosition: () =>
        this.position && {
          position: this.position,
          preference: [
            monaco.editor.ContentWidgetPositionPreference.BELOW,
            monaco.editor.ContentWidgetPositionPreference.ABOVE,
          ],
        },
    };
    editor.addContentWidget(this.widget);
    this.stops = [
      editor.onKeyDown((event) => this.press(event)),
      document.model.onDidChangeContent(({ changes, isUndoing, isRedoing }) =>
        this.follow(changes, isUndoing || isRedoing),
      ),
      editor.onDidBlurEditorText(() => this.close()),
      editor.onDidScrollChange(({ scrollTopChanged }) => scrollTopChanged && this.close()),
      editor.onDidChangeCursorPosition(({ source }) => {
        if (source === 'mouse' || (source === 'keyboard' && this.timer === undefined)) this.close();
      }),
      ...this.addCommands(),
    ];
  }

  dispose(): void {
    this.close();
    assists.delete(this.document.model);
    for (const stop of this.stops) stop.dispose();
  }

  private addCommands(): monaco.IDisposable[] {
    return [
      this.editor.addAction({
        id: 'countersign.complete',
        label: 'Complete',
        keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Space],
        precondition: '!editorReadonly',
        run: () => this.complete(),
      }),
      this.editor.addAction({
        id: 'countersign.fix',
        label: 'Mend the problem here',
        keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Period],
        contextMenuGroupId: '1_modification',
        precondition: '!editorReadonly',
        run: () => this.show(this.read()?.fix(this.offset()) ?? []),
      }),
      // The editor's own keys for it begin with those of the palette.
      this.editor.addAction({
        id: 'countersign.describe',
        label: 'Say what stands here',
        keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyI],
        contextMenuGroupId: '1_modification',
        precondition: 'editorLangId == json',
        run: (editor) => editor.trigger('countersign', 'editor.action.showHover', { focus: 'noAutoFocus' }),
      }),
    ];
  }

  private press(event: monaco.IKeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event.browserEvent;
    // Who wants no list wants none that is on its way, either.
    if (key === 'Escape' && !this.list.isOpen) return this.close();
    if (!this.list.press(key, ctrlKey || metaKey || altKey || shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.list.isOpen) this.close();
  }

  /** Asks anew after a character that was typed; anything else closes the list. */
  private follow(changes: readonly monaco.editor.IModelContentChange[], isUndone: boolean): void {
    const [change] = changes;
    const text = change?.text ?? '';
    // The editor closes a quote or a brace by itself.
    const isTyped = !isUndone && changes.length === 1 && text.length <= 2 && opening.test(text.slice(0, 1));
    const isErased = this.list.isOpen && text === '' && (change?.rangeLength ?? 0) === 1;
    const isShort = this.document.model.getValueLength() <= longChars;
    if (!isShort || !this.editor.hasTextFocus() || !(isTyped || isErased)) return this.close();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.complete();
    }, delayMs);
  }

  private async complete(): Promise<void> {
    const asked = ++this.asked;
    const { source } = this.document;
    const offers = (await this.read()?.complete(source, this.offset())) ?? [];
    const isCurrent = asked === this.asked && source === this.document.source;
    if (isCurrent && this.editor.hasTextFocus()) this.show(offers);
  }

  private offset(): number {
    const { model, source } = this.document;
    return toSourceOffset(source, model.getOffsetAt(this.editor.getPosition()!));
  }

  private show(offers: readonly Completion[]): void {
    this.list.show(offers);
    this.position = offers.length === 0 ? null : this.editor.getPosition();
    this.editor.layoutContentWidget(this.widget);
  }

  private close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.asked += 1;
    if (this.position !== null) this.show([]);
  }

  private take({ start, end, text, caret }: Completion): void {
    const { model, source } = this.document;
    this.close();
    const from = toEditorOffset(source, start);
    const range = monaco.Range.fromPositions(
      model.getPositionAt(from),
      model.getPositionAt(toEditorOffset(source, end)),
    );
    this.editor.pushUndoStop();
    this.editor.executeEdits('countersign', [{ range, text }]);
    this.editor.pushUndoStop();
    this.editor.setPosition(model.getPositionAt(from + toEditorOffset(text, caret)));
    this.editor.focus();
    this.close();
  }
}

/** What the editor shows at a pointer is Markdown; ours is text. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+\-.!|~&]/g, '\\$&');
}

monaco.languages.registerHoverProvider('json', {
  provideHover: async (model, position) => {
    const document = documents.get(model);
    const assist = assists.get(model)?.();
    if (document === undefined || assist === undefined) return null;
    const { source } = document;
    const found = await assist.describe(source, toSourceOffset(source, model.getOffsetAt(position)));
    if (found === null) return null;
    return {
      range: monaco.Range.fromPositions(
        model.getPositionAt(toEditorOffset(source, found.start)),
        model.getPositionAt(toEditorOffset(source, found.end)),
      ),
      contents: found.lines.map((line) => ({ value: escapeMarkdown(line) })),
    };
  },
});
