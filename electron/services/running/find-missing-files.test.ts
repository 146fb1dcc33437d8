import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import type { ForeseenRequest } from '@shared/run/find-missing-values';
import { findMissingFiles } from './find-missing-files';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-missing-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const foresee = (text: string): ForeseenRequest[] =>
  parseHttpFile(text).requests.map(
    (block) => ({ request: { block, directory, file: 'a.http' } }) as ForeseenRequest,
  );

it('names each file of a body that cannot be read, once, with its line', () => {
  writeFileSync(join(directory, 'there.json'), '{}');
  const text =
    'POST http://h\n\n< ./there.json\n###\nPOST http://h\n\n< ./gone.json\n< /etc/passwd\n###\nPOST http://h\n\n< ./gone.json\n';
  expect(findMissingFiles(foresee(text))).toEqual([
    { file: 'a.http', line: 7, message: "There is no file './gone.json' beside the request." },
    {
      file: 'a.http',
      line: 8,
      message: expect.stringMatching(/^.\/etc\/passwd. stands outside/) as string,
    },
  ]);
});

it('leaves what is not sent, and paths that are known as they are sent', () => {
  const text = 'POST http://h\n\n< ./{{row.file}}\n###\n# @disabled\nPOST http://h\n\n< ./gone.json\n';
  expect(findMissingFiles(foresee(text))).toEqual([]);
});
