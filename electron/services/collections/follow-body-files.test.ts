import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { renameEntry } from './collection-files';
import { putStaged, stageFollowed, stageNaming, type FormerTexts } from './follow-body-files';
import { copyEntry, moveEntry, moveFollowed } from './transfer-entry';

const request = (path: string): string => `# @name a\nPOST {{base_url}}/x\n\n< ${path}\n`;
let root = '';
let former: FormerTexts;
const at = (path: string): string => join(root, path);
const put = (path: string, text: string): void => {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
};
const read = (path: string): string => readFileSync(at(path), 'utf8');
const move = (path: string, toFolder: string): string =>
  moveEntry({ root, path, toRoot: root, toFolder }, former);
const rename = (path: string, name: string): string =>
  renameEntry(root, path, name, (from, to) => moveFollowed(from, to, former, root));
const copy = (path: string, toFolder: string): string => copyEntry({ root, path, toRoot: root, toFolder });

beforeEach(() => {
  root = makeTemporaryFolder('follow-bodies');
  former = new Map();
  put('collection.json', '{}');
  put('body.json', '{"amount": 1}');
  put('f/body.json', '{"amount": 1000000}');
  put('a.http', request('body.json'));
});

it('keeps the body of a request that goes to another folder, and its text once it is back', () => {
  move('a.http', 'f');
  expect(read('f/a.http')).toBe(request('../body.json'));
  move('f/a.http', '');
  expect(read('a.http')).toBe(request('body.json'));
  expect(readdirSync(root).toSorted()).toEqual(['a.http', 'body.json', 'collection.json', 'f']);
  expect(readdirSync(at('f'))).toEqual(['body.json']);
});

it('keeps what was written in it meanwhile, also once it is back', () => {
  move('a.http', 'f');
  put('f/a.http', `# mine\n${request('../body.json')}`);
  move('f/a.http', '');
  expect(read('a.http')).toBe(`# mine\n${request('./body.json')}`);
});

it('keeps the bodies of requests in a folder that goes, which its own files go along as', () => {
  put('f/in/b.http', request('../body.json'));
  put('f/in/c.http', request('../../body.json'));
  put('g/x.http', 'GET http://x');
  move('f', 'g');
  expect(read('g/f/in/b.http')).toBe(request('../body.json'));
  expect(read('g/f/in/c.http')).toBe(request('../../../body.json'));
  expect(readdirSync(at('g/f/in'))).toEqual(['b.http', 'c.http']);
  expect(copy('g/f/in', '')).toBe('in');
  expect(read('in/b.http')).toBe(request('../g/f/body.json'));
  expect(read('in/c.http')).toBe(request('../body.json'));
  expect(readdirSync(at('in'))).toEqual(['b.http', 'c.http']);
});

it('keeps the body of a copy, and the original as it is', () => {
  put('f/a.http', 'GET http://taken');
  expect(copy('a.http', 'f')).toBe('f/a copy.http');
  expect(read('f/a copy.http')).toBe(request('../body.json').replace('name a', 'name a copy'));
  expect([read('a.http'), copy('a.http', '')]).toEqual([request('body.json'), 'a copy.http']);
  expect(read('a copy.http')).toContain('< body.json');
});

it('leads to the folder of the other collection, from which nothing is sent, where it goes to another', () => {
  const other = makeTemporaryFolder('follow-other');
  writeFileSync(join(other, 'body.json'), '{"amount": 5}');
  moveEntry({ root, path: 'a.http', toRoot: other, toFolder: '' });
  expect(readFileSync(join(other, 'a.http'), 'utf8')).toMatch(
    /< (?:\.\.\/)+.*follow-bodies.*\/body\.json\n$/,
  );
});

it.skipIf(process.platform === 'win32')(
  'keeps permissions, and leaves links and what is no text as they are',
  () => {
    chmodSync(at('a.http'), 0o664);
    put('target.http', request('./body.json'));
    symlinkSync(at('target.http'), at('link.http'));
    writeFileSync(at('latin.http'), Buffer.from('POST http://x\n\n< ./\xe9\n', 'latin1'));
    for (const path of ['a.http', 'link.http', 'latin.http']) move(path, 'f');
    expect(statSync(at('f/a.http')).mode & 0o777).toBe(0o664);
    expect(read('target.http')).toBe(request('./body.json'));
    expect(readFileSync(at('f/latin.http'), 'latin1')).toContain('< ./\xe9\n');
  },
);

it('leaves nothing behind where it does not go', () => {
  put('g/a.http', 'GET http://taken');
  expect(() => move('a.http', 'g')).toThrow("There is already a 'a.http'");
  expect([readdirSync(at('g')), read('a.http')]).toEqual([['a.http'], request('body.json')]);
});

it.each([
  ['gets another name', 'g', (): unknown => rename('f', 'g')],
  ['goes to another folder', 'h/f', (): unknown => move('f', 'h')],
])('has other requests that name a body in a folder lead to it where that %s, and back', (_how, now, go) => {
  const other =
    'POST {{base_url}}/y\n\n< f/{{which}}.json\n\n### two\nPOST {{base_url}}/z\n\n< ./body.json\n';
  put('h/b.http', request('../f/body.json'));
  put('c.http', other);
  put('f/d.http', request('./body.json'));
  put('f/e.http', request('../f/body.json'));
  const latin = Buffer.from('POST http://x\n# é\n\n< ./f/body.json\n', 'latin1');
  writeFileSync(at('latin.http'), latin);
  chmodSync(at('c.http'), 0o640);
  go();
  expect(read('h/b.http')).toBe(request(now === 'g' ? '../g/body.json' : './f/body.json'));
  expect(read('c.http')).toBe(other.replace('f/', `./${now}/`));
  expect(read(`${now}/d.http`)).toBe(request('./body.json'));
  expect(read(`${now}/e.http`)).toBe(request(now === 'g' ? './body.json' : '../f/body.json'));
  expect(readFileSync(at('latin.http'))).toEqual(latin);
  if (process.platform !== 'win32') expect(statSync(at('c.http')).mode & 0o777).toBe(0o640);
  if (now === 'g') rename('g', 'f');
  else move('h/f', '');
  expect([read('c.http'), read('h/b.http')]).toEqual([other, request('../f/body.json')]);
  const left = readdirSync(root, { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('leaves a request as a checkout wrote it while its folder went', () => {
  put('c.http', request('./f/body.json'));
  put('f/in/b.http', request('../../body.json'));
  const [mine, texts] = ['POST http://mine\n\n< ./body.json\n', ['c.http', 'g/f/in/b.http']];
  put('g/x.http', 'GET http://x');
  const [from, to] = [at('f'), at('g/f')];
  const staged = stageFollowed({ from, to }, former);
  stageNaming(root, { from, to }, former, staged);
  renameSync(from, to);
  for (const path of texts) put(path, mine);
  putStaged(staged, to);
  expect(texts.map(read)).toEqual([mine, mine]);
  const left = readdirSync(root, { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
