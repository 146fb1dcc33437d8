import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canCloseTerminal, endWithoutTerminal } from '../support/close-terminal';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

it.runIf(canCloseTerminal)(
  'what was begun in the background of a terminal that has gone ends in order',
  () => {
    const args = [cliEntry, 'listen', '--port', '0', '--data', makeTemporaryFolder('terminal')];
    expect(endWithoutTerminal('', [process.execPath, ...args])).toEqual(['0', '']);
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

/** Closes the terminal at a question, and gives the code of who asked. */
const closeAtQuestion = `
import os, subprocess, sys
ours, theirs = os.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, start_new_session=True)
os.close(theirs)
said = b''
while b'to send it: ' not in said: said += os.read(ours, 4096)
os.close(ours)
print(child.wait())
`;

it.runIf(canCloseTerminal)(
  'what asks at a terminal that goes takes that for no answer, and sends nothing',
  () => {
    const data = makeTemporaryFolder('terminal');
    const live = { name: 'live', kind: 'production', baseUrl: 'https://127.0.0.1:9' };
    spawnSync(process.execPath, [cliEntry, 'call', 'environments.save', '--data', data], {
      input: JSON.stringify(live),
    });
    const file = join(makeTemporaryFolder('asked'), 'a.http');
    writeFileSync(file, 'GET {{base_url}}/x\n');
    const args = ['send', file, '--data', data, '--env', 'live'];
    const asked = spawnSync('python3', ['-c', closeAtQuestion, process.execPath, cliEntry, ...args], {
      encoding: 'utf8',
    });
    expect(asked.stdout.trim()).toBe('2');
  },
);
