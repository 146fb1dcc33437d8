import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What nobody has written to for so long belongs to nobody, though a process has its number by now. */
const UNTOUCHED_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what processes have left that were killed while they made it; what is being made stays.
 *
 * @param pattern - names of such files and folders; its first group is the number of the process that makes one
 */
export function removeLeftovers(folder: string, pattern: RegExp): void {
  for (const name of readdirSync(folder)) {
    const processId = pattern.exec(name)?.[1];
    if (processId === undefined) continue;
    const path = join(folder, name);
    if (isProcessRunning(Number(processId)) && Date.now() - readChange(path) < UNTOUCHED_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

/** When it, or something that lies in it, was written to last. */
function readChange(path: string): number {
  try {
    const { mtimeMs } = statSync(path);
    const inside = statSync(path).isDirectory() ? readdirSync(path) : [];
    return Math.max(mtimeMs, ...inside.map((name) => statSync(join(path, name)).mtimeMs));
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
