import type { RunningApp } from './fixtures';

/** The desktop window lets no page read it: its main process is asked there. */
export const readClipboard = ({ page, electron }: RunningApp): Promise<string> =>
  electron
    ? electron.evaluate(({ clipboard }) => clipboard.readText())
    : page.evaluate(() => navigator.clipboard.readText());
