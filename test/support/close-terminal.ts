import { spawnSync } from 'node:child_process';

/** Starts a command at a terminal of its own, which sends no signal, and closes that once something was said there. */
const script = `
import os, signal, subprocess, sys
ours, theirs = os.openpty()
child = subprocess.Popen(sys.argv[2:], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
os.close(theirs)
said = b''
while said == b'' or sys.argv[1].encode() not in said: said += os.read(ours, 4096)
os.close(ours)
child.send_signal(signal.SIGTERM)
print(child.wait())
`;

export const canCloseTerminal =
  process.platform !== 'win32' && spawnSync('python3', ['--version']).status === 0;

/** Ends what was begun in the background of a terminal that has gone. @param after - what it says before @returns its code, and what was said of a fault */
export function endWithoutTerminal(after: string, command: readonly string[]): [code: string, fault: string] {
  const { stdout, stderr } = spawnSync('python3', ['-c', script, after, ...command], { encoding: 'utf8' });
  return [stdout.trim(), stderr];
}
