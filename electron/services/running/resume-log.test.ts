import type * as fs from 'node:fs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openResumeLog, type ResumeHead } from './resume-log';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    writeFileSync: (...given: Parameters<typeof real.writeFileSync>) => {
      if (!disk.isFull) return real.writeFileSync(...given);
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
  };
});
afterEach(() => (disk.isFull = false));

const head: ResumeHead = {
  version: 2,
  data: '/rows.csv',
  sha256: 'a',
  requests: 'b',
  service: 'http://127.0.0.1:1',
};
const file = join(makeTemporaryFolder('resume-log'), 'resume.json');

it('leaves no file where the disk has no room for its first line', () => {
  disk.isFull = true;
  expect(() => openResumeLog(file, head, false)).toThrow(
    expect.objectContaining({ code: 'platform.disk_full' }),
  );
  expect(existsSync(file)).toBe(false);
});

it('keeps what a run has noted where the disk fills up later', () => {
  const log = openResumeLog(file, head, false);
  log.begin('1', { reference: 'R-1', draws: [] } as unknown as Parameters<typeof log.begin>[1]);
  const noted = readFileSync(file, 'utf8');
  disk.isFull = true;
  expect(() => log.begin('2', {} as never)).toThrow(expect.objectContaining({ code: 'platform.disk_full' }));
  expect(readFileSync(file, 'utf8')).toBe(noted);
  disk.isFull = false;
  log.close(false);
  writeFileSync(file, noted);
  expect(openResumeLog(file, head, true).findInFlight('1')).toMatchObject({ reference: 'R-1' });
});
