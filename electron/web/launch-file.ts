import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeIfThere, writeFileDurably } from '../platform/files/files';

/** A page of mode 0600 that leads to the launch address: arguments of a process are read by everyone on the machine. */
export interface LaunchFile {
  /** `file:` address of the page: what a browser is started with. */
  readonly url: string;
  offer(launchUrl: string): void;
  remove(): void;
}

/** @param directory - the data directory */
export function createLaunchFile(directory: string): LaunchFile {
  const file = join(directory, 'launch.html');
  return {
    url: pathToFileURL(file).href,
    offer(launchUrl) {
      const page = `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n<meta http-equiv="refresh" content="0;url=${launchUrl}">\n<title>Countersign</title>\n`;
      writeFileDurably(file, page, { mode: 0o600 });
    },
    remove: () => removeIfThere(file),
  };
}
