import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from '../../platform/child-processes';
import { readOwnFile, removeIfThere, writeOwnFile } from '../../platform/files/files';

/** A process, told from a later one that got its number by when it was started. */
interface KnownProcess {
  readonly pid: number;
  readonly startedAt: string;
}

interface TunnelNote {
  readonly owner: KnownProcess;
  readonly child: KnownProcess;
}

const NOTE = /^tunnel-\d+\.json$/;

/** Notes which process makes a tunnel for us, so that a later start can end it where we could not. @returns removes the note */
export function noteTunnel(directory: string, pid: number): () => void {
  const owner = identify(process.pid);
  const child = identify(pid);
  if (owner === null || child === null) return () => undefined;
  const file = join(directory, `tunnel-${pid}.json`);
  writeOwnFile(file, JSON.stringify({ owner, child } satisfies TunnelNote));
  return () => removeIfThere(file);
}

/** Ends the programs of tunnels whose Countersign is gone: whoever listens at their port now would be public. */
export function endOrphans(directory: string): void {
  for (const name of listNotes(directory)) {
    const file = join(directory, name);
    const note = readNote(file);
    if (note !== null && isRunning(note.owner)) continue;
    if (note !== null && isRunning(note.child)) endGroup(note.child.pid);
    removeIfThere(file);
  }
}

/** Where nothing can be listed, whatever is started goes on all the same. */
function listNotes(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => NOTE.test(name));
  } catch {
    return [];
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended just now.
  }
}

function readNote(file: string): TunnelNote | null {
  try {
    const { owner, child } = JSON.parse(readOwnFile(file).toString('utf8')) as TunnelNote;
    const isWhole = [owner, child].every(
      ({ pid, startedAt }) => Number.isInteger(pid) && pid > 1 && startedAt !== '',
    );
    return isWhole ? { owner, child } : null;
  } catch {
    return null;
  }
}

function isRunning({ pid, startedAt }: KnownProcess): boolean {
  return identify(pid)?.startedAt === startedAt;
}

/** Null: there is no such process, or this system does not tell. */
function identify(pid: number): KnownProcess | null {
  try {
    const startedAt = process.platform === 'linux' ? readProcStart(pid) : readPsStart(pid);
    return startedAt === '' ? null : { pid, startedAt };
  } catch {
    return null;
  }
}

function readProcStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name may hold blanks and brackets: what follows the last bracket counts.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // One that has ended and was not fetched yet runs no more.
  if (fields[0] === 'Z') return '';
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[19]}`;
}

function readPsStart(pid: number): string {
  if (process.platform === 'win32') return '';
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'latin1',
    timeout: 2000,
    env: cleanEnvironment(process.env),
  }).trim();
}
