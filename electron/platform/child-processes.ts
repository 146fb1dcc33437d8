import type { ChildProcess } from 'node:child_process';

/** Variables that hold a secret of ours, or of a store that we open; `PGPASSWORD` is for the team's store. */
const OURS = /^(?:COUNTERSIGN_|PGPASSWORD$)/i;

/** The environment for a program of the user's: without any secret that we were given. */
export function cleanEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OURS.test(name)));
}

/** Ends a child that was started `detached`, and all that it has started. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
