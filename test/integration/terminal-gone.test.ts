import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

/** Starts a command at a terminal of its own, which sends no signal, and closes that once something was said there. */
const closeTerminal = `
import os, signal, subprocess, sys
ours, theirs = os.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
os.close(theirs)
os.read(ours, 1)
os.close(ours)
child.send_signal(signal.SIGTERM)
print(child.wait())
`;

const hasPython = spawnSync('python3', ['--version']).status === 0;

it.runIf(hasPython && process.platform !== 'win32')(
  'what was begun in the background of a terminal that has gone ends in order',
  () => {
    const args = [cliEntry, 'listen', '--port', '0', '--data', makeTemporaryFolder('terminal')];
    const { stdout, stderr } = spawnSync('python3', ['-c', closeTerminal, process.execPath, ...args], {
      encoding: 'utf8',
    });
    expect([stdout.trim(), stderr]).toEqual(['141', '']);
  },
);
