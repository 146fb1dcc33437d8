import { expect, it } from 'vitest';
import { parse } from 'jsonc-parser';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOrder, renameInOrder } from '../collections/collection-order';
import { writeRecord } from './import-record';
import { setMember } from './set-member';

const paths = Array.from({ length: 20_000 }, (_, index) => `Folder/Request ${index}.http`);
const files = Object.fromEntries(paths.map((path) => [path, 'a'.repeat(64)]));

it('sets a member as a formatter would, and leaves comments and all else', () => {
  const text = '{\n  // of the team\n  "a": 1\n}\n';
  expect(setMember(text, ['b', 'c.d'], { e: ['f', '\n'], g: {} })).toBe(
    '{\n  // of the team\n  "a": 1,\n  "b": {\n    "c.d": {\n      "e": [\n        "f",\n        "\\n"\n      ],\n      "g": {}\n    }\n  }\n}\n',
  );
  expect(setMember(text, ['a'], ['x'])).toBe('{\n  // of the team\n  "a": [\n    "x"\n  ]\n}\n');
});

it('notes twenty thousand requests within seconds, and renames their folder', () => {
  const record = writeRecord('{ /* mine */ "order": ["First.http"] }\n', paths, { name: 'big.har', files })!;
  expect(record).toContain('/* mine */');
  expect(parse(record)).toEqual({ order: ['First.http', ...paths], imports: { 'big.har': files } });
  const root = makeTemporaryFolder('order');
  mkdirSync(join(root, 'Folder'));
  writeFileSync(join(root, 'collection.json'), record);
  renameInOrder(root, 'Folder', 'Other');
  expect([...readOrder(root).keys()]).toEqual([
    'First.http',
    ...paths.map((path) => path.replace('Folder', 'Other')),
  ]);
  expect(readFileSync(join(root, 'collection.json'), 'utf8')).toContain('"Folder/Request 0.http": "aaa');
}, 8000);
