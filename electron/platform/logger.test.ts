import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFileLogger } from './logger';
import { makeTemporaryFolder } from '../../test/support/temporary';

const clock = { now: () => Date.UTC(2030, 0, 2), monotonicMs: () => 0 };
let directory: string;

beforeEach(() => (directory = makeTemporaryFolder('log')));

function readLines(): Record<string, unknown>[] {
  const text = readFileSync(join(directory, 'logs', 'countersign.log'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('createFileLogger', () => {
  it('writes one JSON object a line, with time, level and event', () => {
    const logger = createFileLogger({ dataDirectory: directory, clock });
    logger.log('info', 'inbox.opened', { count: 3 });
    logger.log('error', 'send.failed', { error: new Error('two\nlines') });
    expect(readLines()).toMatchObject([
      { at: '2030-01-02T00:00:00.000Z', level: 'info', event: 'inbox.opened', count: 3 },
      { level: 'error', event: 'send.failed', error: { message: 'two\nlines' } },
    ]);
  });

  it('makes neither folder nor file before there is something to say', () => {
    createFileLogger({ dataDirectory: directory, clock }).log('debug', 'quiet');
    expect(readdirSync(directory)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('gives up where a folder takes no folders', () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    createFileLogger({ dataDirectory: '/proc/self', clock }).log('info', 'x');
    expect(said).toHaveBeenCalledWith(expect.stringContaining('The log is not written. Cannot write in'));
    said.mockRestore();
  });

  it('cuts secrets and very long lines', () => {
    const logger = createFileLogger({ dataDirectory: directory, clock });
    logger.log('info', 'x', { consumerSecret: 'hush', text: 'Bearer abcdefghij', long: 'a '.repeat(50_000) });
    const text = JSON.stringify(readLines());
    expect(text).not.toMatch(/hush|abcdefghij/);
    expect(text.length).toBeLessThan(40_000);
  });

  it('puts a full file aside and keeps a few, for this user alone', () => {
    const logger = createFileLogger({ dataDirectory: directory, clock, maxBytes: 500, keep: 2 });
    for (let count = 0; count < 40; count++) logger.log('info', 'event', { count });
    const names = readdirSync(join(directory, 'logs')).sort();
    expect(names.slice(-2)).toEqual(['countersign.log.1', 'countersign.log.2']);
    if (process.platform !== 'win32') {
      expect(statSync(join(directory, 'logs', 'countersign.log.1')).mode & 0o077).toBe(0);
    }
  });

  it('stops nothing when it cannot write, and says so once', () => {
    writeFileSync(join(directory, 'logs'), 'a file in the way');
    const complaint = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const logger = createFileLogger({ dataDirectory: directory, clock });
    logger.log('info', 'one');
    logger.log('info', 'two');
    expect(complaint.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^The log is not written\. Cannot write in .*logs: .*\. Move that away, or choose another folder\.\n$/,
        ),
      ],
    ]);
    complaint.mockRestore();
  });
});
