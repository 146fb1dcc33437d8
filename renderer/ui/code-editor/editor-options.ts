import type { monaco } from './monaco-setup';

/** Quiet: no minimap, no rulers, no ligatures. */
export const editorOptions: monaco.editor.IStandaloneEditorConstructionOptions = {
  // A quote that was closed by the editor is typed over, also where the body's text was set anew in between.
  autoClosingOvertype: 'always',
  automaticLayout: true,
  bracketPairColorization: { enabled: false },
  contextmenu: true,
  fixedOverflowWidgets: true,
  folding: true,
  fontFamily: "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace",
  fontLigatures: false,
  fontSize: 12.5,
  glyphMargin: false,
  guides: { indentation: false },
  lineDecorationsWidth: 14,
  lineHeight: 20,
  lineNumbersMinChars: 3,
  matchBrackets: 'near',
  minimap: { enabled: false },
  overviewRulerBorder: false,
  overviewRulerLanes: 0,
  padding: { top: 8, bottom: 8 },
  renderFinalNewline: 'on',
  renderLineHighlight: 'line',
  renderLineHighlightOnlyWhenFocus: true,
  scrollBeyondLastLine: false,
  scrollbar: { verticalScrollbarSize: 8, horizontalScrollbarSize: 8, useShadows: false },
  // A menu in a shadow root would have neither our colours nor our type.
  useShadowDOM: false,
  wrappingIndent: 'indent',
};
