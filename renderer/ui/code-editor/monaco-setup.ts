import * as monaco from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register';
import JsonWorker from 'monaco-editor/language/json/json.worker?worker';
import 'monaco-editor/features/register.all';

const themeName = 'countersign';

/** Editor colours and the design token that each takes its value from. */
const colorTokens: Record<string, string> = {
  'editor.background': '--bg',
  'editor.foreground': '--ink',
  'editorGutter.background': '--bg',
  'editorLineNumber.foreground': '--faint',
  'editorLineNumber.activeForeground': '--soft',
  'editor.lineHighlightBackground': '--hover',
  'editorCursor.foreground': '--accent',
  'editor.selectionBackground': '--select',
  'editor.inactiveSelectionBackground': '--hover',
  'editor.wordHighlightBackground': '--hover',
  'editorIndentGuide.background1': '--line',
  'editorIndentGuide.activeBackground1': '--line-strong',
  'editorBracketMatch.background': '--hover',
  'editorBracketMatch.border': '--line-strong',
  'editorError.foreground': '--bad',
  'editorWarning.foreground': '--warn',
  'editorWidget.background': '--raise',
  'editorWidget.foreground': '--ink',
  'editorWidget.border': '--line-strong',
  'editorHoverWidget.background': '--raise',
  'editorHoverWidget.border': '--line-strong',
  'input.background': '--bg',
  'input.foreground': '--ink',
  'input.border': '--line-strong',
  'quickInput.background': '--raise',
  'quickInput.foreground': '--ink',
  'quickInputList.focusBackground': '--select',
  'quickInputList.focusForeground': '--ink',
  'menu.background': '--raise',
  'menu.foreground': '--ink',
  'menu.selectionBackground': '--hover',
  'menu.selectionForeground': '--ink',
  'menu.border': '--line-strong',
  'scrollbarSlider.background': '--line',
  'scrollbarSlider.hoverBackground': '--line-strong',
  'scrollbarSlider.activeBackground': '--line-strong',
  'editorBracketHighlight.foreground1': '--ink',
  'editorBracketHighlight.foreground2': '--ink',
  'editorBracketHighlight.foreground3': '--ink',
  'editorBracketHighlight.unexpectedBracket.foreground': '--bad',
  focusBorder: '--accent',
};

const syntaxTokens: Record<string, string> = {
  'string.key.json': '--json-key',
  'string.value.json': '--json-text',
  'number.json': '--json-number',
  'keyword.json': '--json-text',
  'delimiter.json': '--ink',
};

/** Gives a token as `#rrggbb`: the editor takes no shorter form, and minified style sheets have it. */
function readToken(style: CSSStyleDeclaration, token: string): string {
  const value = style.getPropertyValue(token).trim();
  return /^#[0-9a-f]{3}$/i.test(value) ? value.replace(/[0-9a-f]/gi, '$&$&') : value;
}

/** Gives the editor the colours of the design tokens, as they are now. */
function applyTheme(): void {
  const style = getComputedStyle(document.documentElement);
  const isDark = document.documentElement.dataset['theme'] === 'dark';
  monaco.editor.defineTheme(themeName, {
    base: isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: Object.entries(syntaxTokens).map(([token, name]) => ({
      token,
      foreground: readToken(style, name).replace('#', ''),
    })),
    colors: Object.fromEntries(
      Object.entries(colorTokens).map(([color, name]) => [color, readToken(style, name)]),
    ),
  });
  monaco.editor.setTheme(themeName);
}

function prepare(): void {
  self.MonacoEnvironment = {
    getWorker: (_id: string, label: string) => (label === 'json' ? new JsonWorker() : new EditorWorker()),
  };
  // Validation is ours: it must know variables, and name the four fields.
  jsonDefaults.setDiagnosticsOptions({ validate: false });
  jsonDefaults.setModeConfiguration({
    documentFormattingEdits: true,
    documentRangeFormattingEdits: true,
    completionItems: false,
    hovers: false,
    documentSymbols: false,
    tokens: true,
    colors: false,
    foldingRanges: true,
    diagnostics: false,
    selectionRanges: true,
  });
  applyTheme();
  new MutationObserver(applyTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  window.matchMedia('(prefers-contrast: more)').addEventListener('change', applyTheme);
  void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
}

prepare();

export { monaco };
