import { expect, it } from 'vitest';
import { followFiles } from './follow-files';

const request = (path: string): string => `# < ./body.json\nPOST {{base_url}}/x\n\n< ${path}\n`;
const follow = (path: string, from: string, to: string, inside?: string): string =>
  followFiles(request(path), { from, to }, inside).split('< ').at(-1)!.trimEnd();

it.each([
  ['./body.json', '/c/a.http', '/c/f/a.http', '../body.json'],
  ['body.json', '/c/a.http', '/c/f/g/a.http', '../../body.json'],
  ['../body.json', '/c/f/a.http', '/c/a.http', './body.json'],
  ['../h/my body.json', '/c/f/a.http', '/c/h/i/a.http', '../my body.json'],
  ['./{{name}}.json', '/c/a.http', '/d/a.http', '../c/{{name}}.json'],
  ['./././body.json', '/c/a.http', '/c/b.http', './././body.json'],
  ['/c/body.json', '/c/a.http', '/c/f/a.http', '/c/body.json'],
  ['.\\body.json', 'C:\\c\\a.http', 'C:\\c\\f/a.http', '../body.json'],
  ['./body.json', 'C:\\c\\a.http', 'D:\\c\\a.http', 'C:/c/body.json'],
  ['C:\\c\\body.json', 'C:\\c\\a.http', 'D:\\c\\a.http', 'C:\\c\\body.json'],
  ['./body.json', '/c/back\\slash/a.http', '/c/a.http', './back\\slash/body.json'],
])('has %s of %s lead to the same file from %s: %s', (path, from, to, expected) => {
  expect(follow(path, from, to)).toBe(expected);
});

it('has what goes along in one folder be the one at its new place', () => {
  expect(follow('./body.json', '/c/f', '/d/g/f', 'in/a.http')).toBe('./body.json');
  expect(follow('../body.json', '/c/f', '/d/g/f', 'in/a.http')).toBe('../body.json');
  expect(follow('../../body.json', '/c/f', '/c/g/f', 'in/a.http')).toBe('../../../body.json');
  expect(follow('../f/body.json', '/c/f', '/c/e', 'a.http')).toBe('./body.json');
});

it('changes those paths alone: of each block and each part, whatever else the file holds', () => {
  const part = (name: string, path: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n< ${path}\r\n`;
  const text = (x: string, y: string, z: string): string =>
    `\ufeff### one\r\nPOST http://a\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n${part('x', x)}${part('y', y)}--b--\r\n` +
    `### two\r\nPOST http://a\r\n\r\n<@latin1 ${z}  \r\n> ./check.js\r\n`;
  const moved = followFiles(text('./x', './d/y.bin', 'latin1'), { from: '/c/a.http', to: '/c/f/a.http' });
  expect(moved).toBe(text('../x', '../d/y.bin', '../latin1'));
});
