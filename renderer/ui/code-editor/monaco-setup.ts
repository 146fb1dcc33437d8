import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/lineSelection/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/wordOperations/register';
import { tokenizeDrawnLine, type JsonTokenKind } from '../json-tokens';

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
  'editorHoverWidget.foreground': '--ink',
  'editorHoverWidget.statusBarBackground': '--side',
  'input.background': '--bg',
  'input.foreground': '--ink',
  'input.border': '--line-strong',
  'input.placeholderForeground': '--faint',
  'inputOption.hoverBackground': '--hover',
  'inputOption.activeBackground': '--select',
  'inputOption.activeBorder': '--accent',
  'inputOption.activeForeground': '--ink',
  'icon.foreground': '--soft',
  'toolbar.hoverBackground': '--hover',
  'editor.findMatchBackground': '--select',
  'editor.findMatchBorder': '--accent',
  'editor.findMatchHighlightBackground': '--hover',
  'menu.separatorBackground': '--line',
  'menu.background': '--raise',
  'menu.foreground': '--ink',
  'menu.selectionBackground': '--hover',
  'menu.selectionForeground': '--ink',
  'menu.border': '--line-strong',
  'menu.selectionBorder': '--accent',
  'list.hoverBackground': '--hover',
  'list.hoverForeground': '--ink',
  'keybindingLabel.background': '--side',
  'keybindingLabel.foreground': '--soft',
  'keybindingLabel.border': '--line',
  'keybindingLabel.bottomBorder': '--line-strong',
  'textLink.foreground': '--accent',
  'widget.shadow': '--line-strong',
  disabledForeground: '--faint',
  errorForeground: '--bad',
  'scrollbarSlider.background': '--line',
  'scrollbarSlider.hoverBackground': '--line-strong',
  'scrollbarSlider.activeBackground': '--line-strong',
  'editorBracketHighlight.foreground1': '--ink',
  'editorBracketHighlight.foreground2': '--ink',
  'editorBracketHighlight.foreground3': '--ink',
  'editorBracketHighlight.unexpectedBracket.foreground': '--bad',
  focusBorder: '--accent',
};

/** The editor goes by the first part of a name: in a `string` it closes no bracket by itself. */
const scopes: Record<JsonTokenKind, string> = {
  key: 'string.key',
  string: 'string.value',
  number: 'number',
  word: 'keyword',
  mark: 'delimiter',
  plain: '',
};

const scopeColors: Record<string, string> = {
  'string.key': '--json-key',
  'string.value': '--json-text',
  number: '--json-number',
  keyword: '--json-text',
  delimiter: '--ink',
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
    rules: Object.entries(scopeColors).map(([token, name]) => ({
      token,
      foreground: readToken(style, name).replace('#', ''),
    })),
    colors: Object.fromEntries(
      Object.entries(colorTokens).map(([color, name]) => [color, readToken(style, name)]),
    ),
  });
  monaco.editor.setTheme(themeName);
}

/** JSON as the views show it, by the same tokens; folding goes by indents. Validation is ours: it knows variables. */
function registerJson(): void {
  const state: monaco.languages.IState = { clone: () => state, equals: () => true };
  monaco.languages.register({ id: 'json' });
  monaco.languages.setTokensProvider('json', {
    getInitialState: () => state,
    tokenize: (line) => ({
      tokens: tokenizeDrawnLine(line).map(({ start, kind }) => ({ startIndex: start, scopes: scopes[kind] })),
      endState: state,
    }),
  });
  monaco.languages.setLanguageConfiguration('json', {
    wordPattern: /[^[{\]}:",\s]+/g,
    brackets: [
      ['{', '}'],
      ['[', ']'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}', notIn: ['string'] },
      { open: '[', close: ']', notIn: ['string'] },
      { open: '"', close: '"', notIn: ['string'] },
    ],
  });
}

registerJson();
applyTheme();
new MutationObserver(applyTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] });
window.matchMedia('(prefers-contrast: more)').addEventListener('change', applyTheme);
void document.fonts.ready.then(() => monaco.editor.remeasureFonts());

export { monaco };
