import type { BaseWindow, MenuItemConstructorOptions } from 'electron';
import { BrowserWindow } from 'electron';

/** The sizes that browsers step through, as far as every view can be read in them. */
const sizes = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

/**
 * Finds the next size of what the window shows.
 *
 * @param now - 1: as it is made; what an earlier version left may lie beyond what is offered
 */
export function nextZoom(now: number, way: 'in' | 'out'): number {
  // Chromium keeps a size by its logarithm, and gives it back a little beside.
  const beside = 0.01;
  const next =
    way === 'in' ? sizes.find((size) => size > now + beside) : sizes.findLast((size) => size < now - beside);
  return next ?? (way === 'in' ? sizes.at(-1)! : sizes[0]!);
}

/** Entries that make everything larger and smaller, within what every view can be read in: the system's own know no end. */
export function listZoomEntries(): MenuItemConstructorOptions[] {
  const to = (find: (now: number) => number) => (_item: unknown, window: BaseWindow | undefined) => {
    if (!(window instanceof BrowserWindow)) return;
    const { webContents } = window;
    webContents.setZoomFactor(find(webContents.getZoomFactor()));
  };
  const entries = [
    { label: 'Actual Size', keys: ['0', 'num0'], click: to(() => 1) },
    { label: 'Zoom In', keys: ['Plus', '=', 'numadd'], click: to((now) => nextZoom(now, 'in')) },
    { label: 'Zoom Out', keys: ['-', 'numsub'], click: to((now) => nextZoom(now, 'out')) },
  ];
  // An entry has one accelerator: those of the other keys that browsers take, too, are not shown.
  return entries.flatMap(({ label, keys, click }) =>
    keys.map((key, at) => ({ label, accelerator: `CommandOrControl+${key}`, click, visible: at === 0 })),
  );
}
