import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { canCloseTerminal, endWithoutTerminal } from '../support/close-terminal';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

it.runIf(canCloseTerminal)(
  'what was begun in the background of a terminal that has gone ends in order',
  () => {
    const args = [cliEntry, 'listen', '--port', '0', '--data', makeTemporaryFolder('terminal')];
    expect(endWithoutTerminal('', [process.execPath, ...args])).toEqual(['141', '']);
  },
);

/** The same, before it has said anything. */
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

it.runIf(canCloseTerminal)(
  'what has its output elsewhere ends in order where its terminal goes while it starts',
  () => {
    const args = ['-c', closeEarly, process.execPath, cliEntry, '--help'];
    expect(spawnSync('python3', args, { encoding: 'utf8' }).stdout.trim()).toBe('[0, 0, 0]');
  },
);
