import { describe, expect, it } from 'vitest';
import { exportCollection } from './export-collection';
import { exportFormatNames } from './export-formats';
import type { ExportSource } from './export-source';

const script = `{{$=require('fs').writeFileSync('ran','1')}}`;
const hostile = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];

const sourceOf = (
  texts: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ExportSource => ({
  name: 'constructor',
  files: texts.map((text, at) => ({ path: `${at}.http`, text })),
  environment: { name: '__proto__', baseUrl: '', variables, privateNames: [] },
  readFile: () => null,
  sources: { now: () => 0, random: { uuid: () => 'u', bytes: (count) => new Uint8Array(count) } },
  version: '1.2.3',
});

describe('an export of a stranger’s collection', () => {
  it.each(exportFormatNames)('asks no object for variables that it does not have itself: %s', (format) => {
    const texts = hostile.map(
      (name) => `POST http://x.test/{{${name}}}?a={{%${name}}}\n${name}: {{${name}}}\n\n{{${name}}}`,
    );
    const { files, requests } = exportCollection(sourceOf(texts), format);
    expect(requests).toBe(hostile.length);
    expect(files.map(({ content }) => String(content)).join('')).not.toMatch(/native code|\[object/);
  });

  const filesOf = (text: string, variables?: Record<string, string>) => {
    const { files, notes } = exportCollection(sourceOf([text], variables), 'httpyac');
    return { files: new Map(files.map(({ path, content }) => [path, String(content)])), notes };
  };

  it.each([
    script,
    `{{${' '.repeat(300)}evil()}}`,
    `{{$uuid;evil()}}`,
    `{{$a (evil())}}`,
    `{{'' + evil()}}`,
    `{{x {{ 1/*}}*/;evil()}}`,
    `{{{evil()}}}`,
  ])('gives httpYac no JavaScript of its own to run: %s', (text) => {
    const { files, notes } = filesOf(
      `@a = ${text}\nPOST http://x.test/${text}\nX-A: ${text}\n\na\nb ${text}\n`,
    );
    const written = files.get('0.http')!;
    expect(written.match(/\{\{\s*.+?\s*\}\}/gu)).toBeNull();
    expect(notes.map(({ what }) => what).join('\n')).toMatch(/sends them as text/);
  });

  it.each([
    ['GET http://x.test\n\n> {% evil() %}\n', '3'],
    ['< {% evil() %}\nGET http://x.test\n', '1'],
    ['GET http://x.test\n\n> ./evil.js\n', '3'],
    ['GET http://x.test\n\n>>! /home/them/.profile\n', '3'],
    ['GET http://x.test\n\n{{@response\nevil()\n}}\n', '3'],
    ['{{+\nevil()\n}}\nGET http://x.test\n', '1'],
    ['# @disabled evil()\n# @sleep evil()\n// @loop while evil()\nGET http://x.test\n', '1, 2, 3'],
    ['GET http://x.test\n\n?? js evil() == 1\n?? body a.map(evil) == 1\n', '3, 4'],
    ['GET http://x.test\n\n### b\n# @loop for a of [evil()]\nGET http://x.test\n\n> {% evil() %}\n', '4, 7'],
  ])('says which lines httpYac runs, for whoever sends it with a key at hand: %j', (text, lines) => {
    const { notes } = filesOf(text);
    const said = notes.flatMap(({ what }) => /^Lines? ([\d, ]+): httpYac runs/.exec(what)?.[1] ?? []);
    expect(said).toEqual([lines]);
  });

  it.each([
    '# @disabled\n# @sleep 500\n# @loop for 3\nGET http://x.test\n',
    'GET http://x.test\n\n?? status == 200\n?? body a.b == 1\n',
    'POST http://x.test\n\n{"a": "> b"}\n',
  ])('says so of no line that is data there: %j', (text) => {
    expect(filesOf(text).notes.filter(({ what }) => what.includes('httpYac runs'))).toEqual([]);
  });

  it('leaves what httpYac draws and fills in as it is', () => {
    const text = `POST {{base_url}}/{{%a}}\nAuthorization: Bearer {{token.payout}}\n\n{{$uuid}} {{$randomInt 1 5}} {{vault.key}} {{a}} {"b":{"c":{}}}\n`;
    const { files, notes } = filesOf(text);
    expect(files.get('0.http')).toBe(text.replace('{{%a}}', '{{encodeURIComponent(a)}}'));
    expect(notes.filter(({ what }) => what.includes('Braces'))).toEqual([]);
  });

  it('leaves out values of an environment that httpYac would run', () => {
    const { files, notes } = filesOf('GET http://x.test/{{a}}/{{b}}\n', { a: `x ${script}`, b: '{{c-d}}' });
    expect(JSON.parse(files.get('http-client.env.json')!)).toMatchObject({
      ['__proto__']: { a: '', b: '{{c_d}}' },
    });
    expect(notes).toContainEqual({
      where: '__proto__',
      what: expect.stringMatching(/value of a is left out/) as string,
    });
  });
});
