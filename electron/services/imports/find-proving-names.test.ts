import type * as nodeFs from 'node:fs';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { findProvingNames } from './find-proving-names';
import { createImportJob } from './import-job';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof nodeFs>();
  const readFile = (...given: Parameters<typeof fs.readFileSync>) => {
    if (String(given[0]).endsWith('closed.http'))
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return fs.readFileSync(...given);
  };
  return { ...fs, readFileSync: readFile };
});

const environment = (values: Record<string, string>): string =>
  JSON.stringify({
    name: 'UAT',
    _postman_variable_scope: 'environment',
    values: Object.entries(values).map(([key, value]) => ({ key, value, enabled: true })),
  });

it('keeps out of the file what requests that are there prove themselves with, where their environment comes alone', () => {
  const root = makeTemporaryFolder('proving');
  mkdirSync(join(root, 'Pay'));
  writeFileSync(join(root, 'Pay', 'x.http'), 'GET {{base_url}}/x\nAuthorization: Basic {{usr}}:{{pw}}\n');
  const text = environment({ base_url: 'https://uat.example', usr: 'ann', pw: 'S3cret-word-99' });
  const job = createImportJob();
  job.read({ source: { kind: 'text', text, name: 'e.json' } });
  const { sealed, notes } = job.plan({ root, isNew: false, format: 'auto', isPreview: false });
  job.commit();
  expect(sealed).toMatchObject([{ secrets: [{ name: 'pw_secret', value: 'S3cret-word-99' }] }]);
  expect(notes[0]!.what).toContain('Its variable pw is called pw_secret here');
  const written: unknown = JSON.parse(readFileSync(join(root, 'http-client.env.json'), 'utf8'));
  expect(written).toEqual({ UAT: { base_url: 'https://uat.example', usr: 'ann', pw: '{{pw_secret}}' } });
});

it('looks into request files alone, and into no folder that is hidden', () => {
  const root = makeTemporaryFolder('proving');
  const text = 'GET https://a.example\nAuthorization: Bearer {{tok}}\n';
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git', 'x.http'), text);
  writeFileSync(join(root, 'x.txt'), text);
  expect(findProvingNames({ root, exists: true })).toEqual(new Set());
  expect(findProvingNames({ root: join(root, 'gone'), exists: false })).toEqual(new Set());
});

it('goes on with the others where a file cannot be read', () => {
  const root = makeTemporaryFolder('proving');
  const text = 'GET https://a.example\nAuthorization: Bearer {{tok}}\n';
  for (const name of ['closed.http', 'open.http']) writeFileSync(join(root, name), text);
  expect(findProvingNames({ root, exists: true })).toEqual(new Set(['tok']));
});
