import type { PanelImperativeHandle } from 'react-resizable-panels';

const panels = new Map<string, PanelImperativeHandle>();

/** For SplitPane itself: makes a pane known while it stands. */
export function registerPane(paneId: string, panel: PanelImperativeHandle | null): void {
  if (panel) panels.set(paneId, panel);
  else panels.delete(paneId);
}

/** Shuts a collapsible pane, or brings it back. */
export function togglePane(paneId: string): void {
  const panel = panels.get(paneId);
  if (!panel) return;
  if (panel.isCollapsed()) panel.expand();
  else panel.collapse();
}
