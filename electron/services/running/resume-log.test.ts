import type * as fs from 'node:fs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openResumeLog, type ResumeHead } from './resume-log';

const disk = vi.hoisted(() => ({ code: 'ENOSPC', failing: [] as string[] }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const orFail = <N extends 'writeFileSync' | 'fstatSync' | 'fdatasyncSync' | 'ftruncateSync'>(name: N) => ({
    [name]: (...given: unknown[]): unknown => {
      if (!disk.failing.includes(name)) return (real[name] as (...all: unknown[]) => unknown)(...given);
      throw Object.assign(new Error(disk.code), { code: disk.code });
    },
  });
  return {
    ...real,
    ...orFail('writeFileSync'),
    ...orFail('fstatSync'),
    ...orFail('fdatasyncSync'),
    ...orFail('ftruncateSync'),
  };
});
afterEach(() => Object.assign(disk, { code: 'ENOSPC', failing: [] }));

const head: ResumeHead = {
  version: 2,
  data: '/rows.csv',
  sha256: 'a',
  requests: 'b',
  service: 'http://127.0.0.1:1',
};
const file = join(makeTemporaryFolder('resume-log'), 'resume.json');

it('leaves no file where the disk has no room for its first line', () => {
  disk.failing = ['writeFileSync'];
  expect(() => openResumeLog(file, head, false)).toThrow(
    expect.objectContaining({ code: 'platform.disk_full' }),
  );
  expect(existsSync(file)).toBe(false);
});

it('keeps what a run has noted where the disk fills up later', () => {
  const log = openResumeLog(file, head, false);
  log.begin('1/1/0', { reference: 'R-1', draws: [] } as unknown as Parameters<typeof log.begin>[1]);
  const noted = readFileSync(file, 'utf8');
  disk.failing = ['writeFileSync'];
  expect(() => log.begin('1/2/0', {} as never)).toThrow(
    expect.objectContaining({ code: 'platform.disk_full' }),
  );
  expect(readFileSync(file, 'utf8')).toBe(noted);
  disk.failing = [];
  log.close(false);
  writeFileSync(file, noted);
  expect(openResumeLog(file, head, true).findInFlight('1/1/0')).toMatchObject({ reference: 'R-1' });
});

it.each([['fstatSync'], ['writeFileSync', 'ftruncateSync'], ['fdatasyncSync']])(
  'says that the disk was cut off at %s, and passes over what can wait',
  (...failing) => {
    const log = openResumeLog(file, head, false);
    Object.assign(disk, { code: 'ENOTCONN', failing: [...failing, 'fdatasyncSync'] });
    const gone = expect.objectContaining({
      code: 'platform.unwritable',
      message: expect.stringMatching(/: its disk is not connected any more\. Connect it again, or choose/),
    });
    expect(() => log.begin('1/1/0', {} as never)).toThrow(gone);
    expect(() => log.end('1/1/0', 'passed')).not.toThrow();
    expect(() => log.close(false)).toThrow(gone);
  },
);

it.each([
  ['another key', '{"key":"1/1","state":"done","outcome":"passed"}'],
  ['another state', '{"key":"1/1/0","state":"rending","reference":"R-1","draws":[]}'],
  ['a state of every object', '{"key":"1/1/0","state":"constructor"}'],
  ['another outcome', '{"key":"1/1/0","state":"done","outcome":"pbssed"}'],
  ['no draws', '{"key":"1/1/0","state":"sending","reference":"R-1"}'],
  [
    'a draw without its value',
    '{"key":"1/1/0","state":"sending","reference":"R-1","draws":[{"expression":"$uuid"}]}',
  ],
  ['another verdict', '{"key":"1/1/0","state":"answered","judged":[[3,"hold"]]}'],
  ['captured values that are no text', '{"key":"1/1/0","state":"captured","values":{"a":1}}'],
  ['no object', '7'],
])('refuses a file with a line that says something else than was written: %s', (_name, line) => {
  writeFileSync(file, `${JSON.stringify(head)}\n${line}\n`);
  expect(() => openResumeLog(file, head, true)).toThrow(
    expect.objectContaining({ code: 'running.bad_resume' }),
  );
});

it('reads all that it writes', () => {
  writeFileSync(file, '');
  const log = openResumeLog(file, head, false);
  log.begin('1/1/0', { reference: null, draws: [{ expression: '$uuid', value: 'u' }] });
  log.judge('1/1/0', [{ line: 3, outcome: 'held' }] as never);
  log.capture('1/1/0', { code: '1' });
  log.end('1/1/0', 'passed');
  log.close(true);
  expect(openResumeLog(file, head, true).findOutcome('1/1/0')).toBe('passed');
});
