import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isExamplePath, requestExtension } from '@shared/http-file/example-file';
import { followFiles, followNamed, listBodyFiles, type Transferred } from '@shared/http-file/follow-files';
import { copyFile, permit, renameFile } from '../../platform/files/differing-disks';
import {
  findStats,
  nameNeighbour,
  removeIfThere,
  toFileError,
  writeFileDurably,
} from '../../platform/files/files';
import { readRegularFile } from '../../platform/files/regular-file';
import { maxFileBytes } from './collection-files';

/** By the place of a file that was moved: what stood in it where it came from, and stands in it again once it goes back there. */
export type FormerTexts = Map<string, { from: string; was: string; wrote: string }>;

const mostFormer = 500;

/** To sync one takes milliseconds: thousands of them, as those of an import, are not waited for one by one. */
const mostSynced = 100;

/** A text that takes the place of a request file once that is where it goes. */
interface Staged {
  stage: string;
  /** The request file, in the folder that goes; empty: it goes by itself, and its text waits where it goes; null: it stays. */
  inside: string | null;
  file: string;
  /** What stood in the file then. */
  was: string;
}

/**
 * Writes, for each request file that goes elsewhere and whose `< file` lines would lead to another file there, what it is to be.
 *
 * Before it goes: whoever is killed meanwhile finds it as it was or as it is to be.
 * @param at - where what goes stands now; left out: where it comes from
 */
export function stageFollowed(going: Transferred, former: FormerTexts, at = going.from): Staged[] {
  const staged: Staged[] = [];
  try {
    for (const inside of listRequests(at, going.to)) {
      const [file, from, to] = [at, going.from, going.to].map((one) => join(one, inside)) as [
        string,
        string,
        string,
      ];
      const text = readText(file);
      if (text === null) continue;
      const wrote = recall(former, { from, to }, text, () => followFiles(text, going, inside));
      if (wrote !== text)
        writeStage(
          staged,
          { stage: nameNeighbour(inside === '' ? to : file), inside, file, was: text },
          wrote,
        );
    }
    return staged;
  } catch (error) {
    dropStaged(staged);
    throw toFileError(error, dirname(at));
  }
}

/**
 * As {@link stageFollowed} for the other requests of the collection that name what is in a folder which goes.
 *
 * @param staged - gets what is written here, too
 */
export function stageNaming(root: string, going: Transferred, former: FormerTexts, staged: Staged[]): void {
  if (!lstatSync(going.from).isDirectory()) return;
  try {
    for (const inside of listRequests(root, '')) {
      const file = join(root, inside);
      const text = file.startsWith(going.from + sep) ? null : readText(file);
      if (text?.includes(basename(going.from)) !== true) continue;
      const [from, to] = [`${going.from}\0${file}`, `${going.to}\0${file}`];
      const wrote = recall(former, { from, to }, text, () => followNamed(text, going, file));
      if (wrote !== text)
        writeStage(staged, { stage: nameNeighbour(file), inside: null, file, was: text }, wrote);
    }
  } catch (error) {
    dropStaged(staged);
    throw toFileError(error, root);
  }
}

/** Gives what a text is to be: what it was, where it goes back as it came. */
function recall(former: FormerTexts, { from, to }: Transferred, text: string, follow: () => string): string {
  const known = former.get(from);
  const wrote = known?.from === to && known.wrote === text ? known.was : follow();
  if (wrote === text) return text;
  former.delete(from);
  former.set(to, { from, was: text, wrote });
  if (former.size > mostFormer) former.delete([...former.keys()][0]!);
  return wrote;
}

function writeStage(staged: Staged[], one: Staged, text: string): void {
  if (staged.push(one) <= mostSynced) {
    copyFile(one.file, one.stage);
    writeFileDurably(one.stage, text, { keepsMode: true });
  } else {
    writeFileSync(one.stage, text, { mode: 0o600, flag: 'wx' });
    permit(one.stage, lstatSync(one.file).mode & 0o777);
  }
}

/** Puts what was written in its place, but where somebody else wrote meanwhile: a checkout. @param at - where what went stands now */
export function putStaged(staged: readonly Staged[], at: string): void {
  for (const { stage, inside, file, was } of staged) {
    const place = inside === null ? file : join(at, inside);
    const written = inside === null || inside === '' ? stage : join(dirname(place), basename(stage));
    if (findStats(place)?.isFile() === true && readText(place) === was) renameFile(written, place);
    else removeIfThere(written);
  }
}

export function dropStaged(staged: readonly Staged[]): void {
  for (const { stage } of staged) removeIfThere(stage);
}

const isRequest = (name: string): boolean => requestExtension.test(name) && !isExamplePath(name);

/** Those in a folder; empty for what is a request itself. What cannot be listed has none. */
function listRequests(at: string, name: string): string[] {
  try {
    if (!lstatSync(at).isDirectory()) return isRequest(name) ? [''] : [];
    return readdirSync(at)
      .filter((entry) => !entry.startsWith('.') && entry !== 'node_modules')
      .flatMap((entry) => listRequests(join(at, entry), entry).map((inside) => join(entry, inside)));
  } catch {
    return [];
  }
}

/**
 * Finds files of bodies that are apart from their requests once something has come to another collection: nothing sends them.
 *
 * @returns bodies: as the requests that went write those that did not; requests: that did not go, and name what did
 */
export function findLeftBodies(
  root: string,
  toRoot: string,
  { from, to }: Transferred,
): { bodies: string[]; requests: string[] } {
  const named = (at: string, name: string) =>
    listRequests(at, name).flatMap((inside) => {
      const file = join(at, inside);
      return listBodyFiles(readText(file) ?? '').map((path) => ({
        file,
        path,
        leads: resolve(dirname(file), path),
      }));
    });
  const bodies = named(to, to).filter(({ leads }) => !leads.startsWith(toRoot + sep));
  const isGone = lstatSync(to).isDirectory() && !existsSync(from);
  const requests = (isGone ? named(root, '') : []).filter(({ leads }) => leads.startsWith(from + sep));
  return {
    bodies: [...new Set(bodies.map(({ path }) => path))],
    requests: [...new Set(requests.map(({ file }) => relative(root, file).replaceAll(sep, '/')))],
  };
}

/** Null: it is a link, names no file, or cannot be read here, nor sent. */
function readText(file: string): string | null {
  if (!lstatSync(file).isFile()) return null;
  const { bytes } = readRegularFile(file, { root: dirname(file), maxBytes: maxFileBytes });
  return bytes?.includes('<') === true && isUtf8(bytes) ? bytes.toString('utf8') : null;
}
