import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readExample } from './read-example';

const folder = makeTemporaryFolder('example');
const read = (text: string, file: string): unknown => {
  writeFileSync(join(folder, file), text);
  return readExample(folder, 'Pay.http', 'ok');
};

it('says of an example in which a merge left two versions where, and of a pointer of Git LFS that it is one', () => {
  const left = '<<<<<<< HEAD\n{"a":1}\n||||||| 12\n{}\n=======\n{"a":2}\n>>>>>>> theirs\n';
  expect(read(left, 'ok.json')).toEqual({
    fault: 'ok.json has two versions from line 1 on',
    advice: expect.stringMatching(/^Two versions stand here as a merge leaves them: keep one/),
  });
  expect(read(`HTTP/1.1 200 OK\n\n${left}`, 'Pay.ok.example.http')).toMatchObject({
    fault: 'Pay.ok.example.http has two versions from line 3 on',
  });
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
  expect(read(pointer, 'Pay.ok.example.http')).toEqual({
    fault: 'Pay.ok.example.http is a pointer of Git LFS',
    advice: 'Run git lfs pull.',
  });
  expect(read('HTTP/1.1 200 OK\n\n{"a":1}', 'Pay.ok.example.http')).toEqual({ text: '{"a":1}' });
});
