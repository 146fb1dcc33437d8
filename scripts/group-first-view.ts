import type { CodeSplittingNameFunction } from 'rolldown';

type Graph = Parameters<CodeSplittingNameFunction>[1];

/**
 * Puts what the page loads first into three files: the frame, the parts that its first view shares with others, and
 * that view itself. Eighty small ones weigh a tenth more, and a browser asks for six at a time.
 *
 * @param entry - module that the page names
 * @param view - module of the view that a new window shows
 */
export function groupFirstView(entry: string, view: string): CodeSplittingNameFunction {
  const own = view.slice(0, view.lastIndexOf('/') + 1);
  let known: { graph: Graph; frame: ReadonlySet<string>; all: ReadonlySet<string> } | null = null;
  return (id, graph) => {
    if (known?.graph !== graph) known = { graph, frame: reach(entry, graph), all: reach(view, graph) };
    if (known.frame.has(id)) return 'frame';
    if (!known.all.has(id) || id === view) return null;
    return id.startsWith(own) ? 'first-view' : 'parts';
  };
}

/** What a module loads at once, by however many others. */
function reach(from: string, graph: Graph): ReadonlySet<string> {
  const found = new Set([from]);
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}
