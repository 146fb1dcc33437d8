import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { writeZip } from './write-zip';

const hasPython = spawnSync('python3', ['--version']).status === 0;

it.skipIf(!hasPython)('writes an archive that another program reads whole', () => {
  const folder = makeTemporaryFolder('zip');
  const file = join(folder, 'a.zip');
  const binary = Uint8Array.from({ length: 1000 }, (_none, at) => (at * 7) & 0xff);
  writeFileSync(
    file,
    writeZip([
      { path: 'é/b.txt', bytes: new TextEncoder().encode('text') },
      { path: '.c', bytes: binary },
      { path: 'empty', bytes: new Uint8Array() },
    ]),
  );
  const script =
    'import sys,zipfile,json\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps({n: z.read(n).hex() for n in z.namelist()}))';
  const read = JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' })) as object;
  expect(read).toEqual({
    'é/b.txt': Buffer.from('text').toString('hex'),
    '.c': Buffer.from(binary).toString('hex'),
    empty: '',
  });
});
