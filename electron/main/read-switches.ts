import { resolve } from 'node:path';

/**
 * Gives the words of a start that may be switches of ours.
 *
 * Behind `--` stands what another program handed over: a link there may hold anything, quotes that end it included.
 */
export function listSwitchWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/** What the switches of a start ask for. @returns `data`: whole path of the data folder, null where none is named */
export function readSwitches(argv: readonly string[]): { data: string | null; hasDevTools: boolean } {
  const words = listSwitchWords(argv);
  const at = words.indexOf('--data');
  const value = at === -1 ? undefined : words[at + 1];
  return { data: value === undefined ? null : resolve(value), hasDevTools: words.includes('--dev-tools') };
}
