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

/** The same, before it has said anything. @see closeTerminal */
const closeEarly = `
import os, subprocess, sys, time
codes = []
for pause in (0.03, 0.05, 0.07):
    ours, theirs = os.openpty()
    child = subprocess.Popen(sys.argv[1:], stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, start_new_session=True)
    os.close(theirs)
    time.sleep(pause)
    os.close(ours)
    codes.append(child.wait())
print(codes)
`;

it.runIf(hasPython && process.platform !== 'win32')(
  'what has its output elsewhere ends in order where its terminal goes while it starts',
  () => {
    const args = ['-c', closeEarly, process.execPath, cliEntry, '--help'];
    expect(spawnSync('python3', args, { encoding: 'utf8' }).stdout.trim()).toBe('[0, 0, 0]');
  },
);
