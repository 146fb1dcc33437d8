import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** No write takes so long: what is older was left by one that was killed. */
const leftoverMs = 60_000;

/**
 * Removes from a folder what killed writes left there: entries of that pattern that nobody has written to for a minute.
 *
 * What cannot be listed or removed stays: whatever is done beside it goes on.
 * @param ageMs - another time than that minute
 */
export function removeLeftovers(folder: string, pattern: RegExp, ageMs = leftoverMs): void {
  for (const name of listNames(folder).filter((one) => pattern.test(one))) {
    const path = join(folder, name);
    if (Date.now() - readChange(path) > ageMs) removeOrLeave(path);
  }
}

/** What nobody has written to for so long belongs to nobody, though a process has its number by now. */
const UNTOUCHED_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what processes have left that were killed while they made it; what is being made stays, and what cannot be removed.
 *
 * @param pattern - names of such files and folders; its first group is the number of the process that makes one
 */
export function removeLeftOfProcesses(folder: string, pattern: RegExp): void {
  for (const name of listNames(folder)) {
    const processId = pattern.exec(name)?.[1];
    if (processId === undefined) continue;
    const path = join(folder, name);
    if (isProcessRunning(Number(processId)) && Date.now() - readChange(path) < UNTOUCHED_MS) continue;
    removeOrLeave(path);
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeOrLeave(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another program holds it, or it is somebody else's: it is in nobody's way.
  }
}

/** When it, or something that lies in it, was written to last. */
function readChange(path: string): number {
  try {
    const stats = lstatSync(path);
    const inside = stats.isDirectory() ? readdirSync(path) : [];
    return Math.max(stats.mtimeMs, ...inside.map((name) => lstatSync(join(path, name)).mtimeMs));
  } catch {
    // It went just now: its maker is at it.
    return Date.now();
  }
}

/** Whether a process of this machine, anybody's, goes on. */
export function isProcessRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A text as it stands, in a regular expression. */
export function escapeName(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
