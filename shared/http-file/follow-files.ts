import type { TextEdit } from '../body/edit-body';
import { applyReplacements } from './edit-http-file';
import { parseHttpFile } from './parse-http-file';

/** A request file or folder that goes elsewhere: whole paths, as the system writes them. */
export interface Transferred {
  readonly from: string;
  readonly to: string;
}

/** Lists the files that the bodies of a request file name, as they are written there. */
export const listBodyFiles = (text: string): string[] =>
  parseHttpFile(text).requests.flatMap(({ bodyCuts }) =>
    bodyCuts.flatMap(({ put }) => (typeof put === 'string' ? [] : [put.path])),
  );

const isOfWindows = (path: string): boolean => /^(?:[A-Za-z]:|\\\\)/.test(path);

/**
 * Gives the text of a request file that goes elsewhere, with `< file` lines that lead where they led.
 *
 * What goes along, in one folder with it, is then at its new place. What leads there as it is written stays so.
 * @param inside - the request file, where a folder goes that it is in
 */
export function followFiles(text: string, going: Transferred, inside = ''): string {
  return lead(text, going, `${going.from}/${inside}`, `${going.to}/${inside}`);
}

/** As {@link followFiles} for a request file that stays, at its whole path: what it names of a folder that goes is then there. */
export function followNamed(text: string, going: Transferred, file: string): string {
  return lead(text, going, file, file);
}

function lead(text: string, { from, to }: Transferred, wasAt: string, isAt: string): string {
  const separator = isOfWindows(from) ? /[\\/]/ : '/';
  const split = (path: string): string[] =>
    path.split(separator).filter((part, at) => at === 0 || part !== '');
  const [was, is] = [split(from), split(to)];
  const before = split(wasAt).slice(0, -1);
  const after = split(isAt).slice(0, -1);
  const edits = parseHttpFile(text).requests.flatMap(({ body, bodyStart, bodyCuts }) =>
    bodyCuts.flatMap(({ start, end, put }): TextEdit[] => {
      if (typeof put === 'string' || put.path.startsWith('/') || isOfWindows(put.path)) return [];
      const parts = split(put.path);
      const led = resolveParts(before, parts);
      const goal = was.every((part, at) => part === led[at]) ? [...is, ...led.slice(was.length)] : led;
      if (resolveParts(after, parts).join('/') === goal.join('/')) return [];
      const at = bodyStart + start + body!.slice(start, end).lastIndexOf(put.path);
      return [{ start: at, end: at + put.path.length, text: relate(after, goal) }];
    }),
  );
  return applyReplacements(text, edits);
}

function resolveParts(folder: readonly string[], parts: readonly string[]): string[] {
  const result = [...folder];
  for (const part of parts) {
    if (part === '..') result.splice(1, Infinity, ...result.slice(1, -1));
    else if (part !== '' && part !== '.') result.push(part);
  }
  return result;
}

/** The way from a folder to a file; from one disk of Windows to another there is none but the whole path. */
function relate(folder: readonly string[], goal: readonly string[]): string {
  const apart = [...folder, null].findIndex((part, at) => part !== goal[at]);
  const way = goal.slice(apart).join('/');
  if (apart === 0) return way;
  return apart === folder.length ? `./${way}` : '../'.repeat(folder.length - apart) + way;
}
