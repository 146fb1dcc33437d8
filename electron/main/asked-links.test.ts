import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { askedFile, createAskedLinks, findAskedLinks, isTooMuchToPassOn } from './asked-links';

it('finds a link or a request file among the arguments, and takes no switch for one', () => {
  const folder = makeTemporaryFolder('asked-links');
  writeFileSync(join(folder, 'pay.http'), 'GET http://127.0.0.1/\n');
  mkdirSync(join(folder, 'folder.http'));
  const findAll = (...args: string[]) => findAskedLinks(args, folder, [folder]);
  const find = (...args: string[]) => findAll(...args)[0] ?? null;
  expect(find('.', '--data', 'countersign://view/inbox')).toBeNull();
  expect(find('.', '--no-sandbox', 'countersign://view/inbox')).toMatchObject({
    kind: 'view',
    view: 'inbox',
  });
  expect(find('.', 'countersign:--run')).toMatchObject({ kind: 'refused' });
  expect(find('.', 'pay.http')).toEqual({
    kind: 'file',
    path: join(folder, 'pay.http'),
  });
  writeFileSync(join(folder, 'b.http'), 'GET http://127.0.0.1/\n');
  expect(findAll('.', 'pay.http', 'b.http', 'notes.md')).toEqual([
    { kind: 'file', path: join(folder, 'pay.http') },
    { kind: 'file', path: join(folder, 'b.http') },
  ]);
  expect(findAll('.', ...Array<string>(20).fill('pay.http'))).toHaveLength(9);
  const address = pathToFileURL(join(folder, 'pay.http')).href;
  expect(find('.', address)).toEqual({
    kind: 'file',
    path: join(folder, 'pay.http'),
  });
  expect(find('--', 'countersign://view/inbox')).toMatchObject({
    kind: 'view',
  });
  for (const bad of ['file://host/share/pay.http', 'file:///a%2Fb.http', 'file:///dev/null.http']) {
    expect(find('.', bad), bad).toMatchObject({ kind: 'refused' });
  }
  for (const bad of ['folder.http', 'gone.http', '//host/share/pay.http', '/dev/null.http']) {
    expect(find('.', bad), bad).toMatchObject({ kind: 'refused' });
  }
});

it('says of what is not opened why', () => {
  const folder = makeTemporaryFolder('asked-links');
  mkdirSync(join(folder, 'Payments'));
  execFileSync('mkfifo', [join(folder, 'pipe.http')]);
  const why = (word: string) => findAskedLinks(['.', word], folder, [folder])[0] ?? null;
  for (const [word, said] of [
    ['Payments', 'Payments was not opened: it is a folder. File → Open a folder… takes it.'],
    ['gone.http', 'gone.http was not opened: there is no such file.'],
    ['pipe.http', 'pipe.http was not opened: it is no plain file.'],
    ['/dev/null.http', 'its path leads to none of this machine.'],
    ['a\u202elru.http', 'its path has a character that nobody sees. Rename what has it.'],
    ['a\nb.http', 'its path has a character that nobody sees. Rename what has it.'],
    [`${'a/'.repeat(1100)}b.http`, 'its path is too long.'],
  ] as const)
    expect(why(word), word).toMatchObject({ kind: 'refused', reason: expect.stringContaining(said) });
  // Another program's words are not files that were meant.
  expect([why('nobody'), why('notes.md'), why('.')]).toEqual([null, null, null]);
});

it('asks to import a file that is no request file, and says of one that is named as another tool names its own that it is not there', () => {
  const folder = makeTemporaryFolder('asked-links');
  const find = (word: string) => findAskedLinks(['.', word], folder, [folder])[0] ?? null;
  for (const name of ['Payments.postman_collection.json', 'curl.txt']) {
    writeFileSync(join(folder, name), '');
    expect(find(name), name).toEqual({ kind: 'import', path: join(folder, name) });
    expect(askedFile(join(folder, name)), name).toEqual(find(name));
  }
  expect(find('gone.json')).toMatchObject({
    reason: expect.stringContaining('gone.json was not opened: there is no such file'),
  });
});

it('takes the folder of the data for none that is meant, wherever it stands: Chromium puts switches before the rest', () => {
  const folder = makeTemporaryFolder('asked-links');
  const data = join(folder, 'data');
  mkdirSync(data);
  writeFileSync(join(folder, 'pay.http'), 'GET http://127.0.0.1/\n');
  const args = ['--data', '--no-sandbox', '.', data, 'pay.http'];
  expect(findAskedLinks(args, folder, [folder, data])).toEqual([
    { kind: 'file', path: join(folder, 'pay.http') },
  ]);
});

it('keeps a few until the page takes them, in their order, and says where others were not opened', () => {
  let told = 0;
  const links = createAskedLinks(() => (told += 1));
  for (let count = 0; count < 20; count += 1) links.add({ kind: 'import', path: `/${count}` });
  expect(told).toBe(9);
  const taken = Array.from({ length: 9 }, () => links.take());
  expect(taken.slice(0, 7)).toEqual(
    Array.from({ length: 7 }, (_, at) => ({ kind: 'import', path: `/${at}` })),
  );
  expect(taken.slice(7)).toEqual([
    { kind: 'refused', reason: expect.stringContaining('those after the first 7 were not opened') },
    null,
  ]);
});

it('tells in bytes what is too much for an app that runs to be told of', () => {
  const pass = (word: string) => isTooMuchToPassOn(['countersign', word], '/home/me');
  expect([pass('a'.repeat(29_000)), pass('a'.repeat(31_000)), pass('\u00e9'.repeat(15_500))]).toEqual([
    false,
    true,
    true,
  ]);
});
