import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Parts of Monaco that its public entry brings along and that nothing here opens: two diff editors, its own palette,
 * trees, drawing on the graphics card, what a hover could lead to, and the worker of features that are off. The value is what stands there instead.
 */
const leftOut: Readonly<Record<string, string | null>> = {
  'base/browser/ui/animations/': null,
  'base/browser/ui/selectBox/': null,
  'base/common/observableInternal/logging/debugger/': null,
  'editor/browser/controller/editContext/native/screenReaderContentRich.js': null,
  'editor/browser/gpu/': null,
  'editor/browser/viewParts/minimap/minimap.js': `import { ViewPart } from '../../view/viewPart.js';
    export class Minimap extends ViewPart {
      constructor(context) { super(context); this.element = document.createElement('div'); }
      getDomNode() { return { domNode: this.element }; }
      prepareRender() {} render() {} }`,
  'editor/browser/viewParts/viewLinesGpu/': null,
  'editor/browser/widget/diffEditor/diffEditorWidget.js': null,
  'editor/browser/widget/multiDiffEditor/multiDiffEditorWidget.js': null,
  'editor/common/diff/': null,
  'editor/common/model/tokens/treeSitter/': null,
  'editor/common/services/editorWebWorker.js': null,
  'editor/contrib/colorPicker/': null,
  'editor/contrib/dropOrPasteInto/': null,
  'editor/contrib/gotoSymbol/': null,
  'editor/contrib/hover/browser/markerHoverParticipant.js':
    'export class MarkerHoverParticipant { hoverOrdinal = 1; computeSync() { return []; } }',
  'editor/contrib/inlayHints/': null,
  'editor/contrib/inlineCompletions/': null,
  'editor/standalone/common/monarch/': null,
  'platform/list/browser/listService.js': null,
  'platform/quickinput/browser/': null,
};

const folder = '/monaco-editor/esm/vs/';

/**
 * Builds the editor without the parts that are never shown: each export of a module that is left out becomes an empty
 * function, which can be called, extended and asked for like the original.
 *
 * A name here that Monaco no longer loads ends the build, so that a new version is looked at.
 */
export function trimEditor(): Plugin {
  const unmet = new Set(Object.keys(leftOut));
  return {
    name: 'countersign:trim-editor',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const path = id.split(folder)[1];
      const name = path && Object.keys(leftOut).find((one) => path.startsWith(one));
      if (!name || !path.endsWith('.js')) return null;
      unmet.delete(name);
      return leftOut[name] ?? emptyExports(readFileSync(id, 'utf8'));
    },
    buildEnd(error) {
      if (!error && unmet.size > 0)
        this.error(`Monaco does not load ${[...unmet].join(', ')} any more: take it off the list.`);
    },
  };
}

function emptyExports(source: string): string {
  const lists = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const single = [...source.matchAll(/^export (?:class|const|function|let|var) ([\w$]+)/gm)].map(
    ([, name = '']) => name,
  );
  const names = [...lists.map((one) => one.trim().split(' as ').at(-1) ?? ''), ...single].filter(Boolean);
  return names.map((name) => `export function ${name}() {}`).join('\n');
}
