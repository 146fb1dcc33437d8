import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

let server: Server;
let base: string;
let folder: string;
/** What the service says to `/one`. */
let said = '';
let received: { url: string; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push({ url: request.url ?? '', body });
      response.writeHead(200, { 'Content-Type': 'application/json', 'X-Said': said });
      response.end(JSON.stringify({ value: said }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(() => {
  folder = makeTemporaryFolder('text-values');
  received = [];
});

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const run = (...more: string[]) =>
  runOnce(['run', 'a.http', '--base-url', base, '--var', 'client_secret=not-for-others', ...more], {
    cwd: folder,
    env: { COUNTERSIGN_TOKEN: 'token-of-the-run' },
  });
const post = (value: string): string =>
  `### two\nPOST {{base_url}}/two\nContent-Type: application/json\n\n{"text":"${value}","list":[${value}]}\n`;

describe('a captured value', () => {
  it.each(['body value', 'header X-Said'])('of %s with a variable in it is none', async (source) => {
    said = 'http://localhost:1/?k={{client_secret}}&t={{token.payout}}';
    write(
      'a.http',
      `### one\n# @capture url = ${source}\nGET {{base_url}}/one\n\n### two\nGET {{base_url}}/two?{{url}}\n`,
    );
    const { exitCode, stdout } = await run();
    expect(stdout).toContain('received a value with a {{variable}} in it');
    expect(stdout).toContain('what came has a variable in it, and none is filled in for a service');
    expect(stdout).not.toContain('not-for-others');
    expect([exitCode, received.map(({ url }) => url)]).toEqual([1, ['/one']]);
  });

  it.each(['x","amount":"9', 'back\\slash', 'line\nbreak', 'plain'])(
    'stays one text inside the quotes of a JSON body: %j',
    async (value) => {
      said = value.replace('\n', ' ');
      write(
        'a.http',
        `### one\n# @capture it = body value\nGET {{base_url}}/one\n\n${post('{{it}}').replace(',"list":[{{it}}]', '')}`,
      );
      await run();
      expect(JSON.parse(received[1]!.body)).toEqual({ text: said });
    },
  );
});

describe('a cell', () => {
  it('with a variable in it is refused before anything is sent', async () => {
    write('a.http', post('{{row.name}}'));
    write('rows.csv', 'name\nfine\nx {{client_secret}}\n');
    const { exitCode, stderr } = await run('--data', 'rows.csv');
    expect(stderr).toContain(
      "row 2 has a {{variable}} in its 'name'. A cell is text: write what it stands for.",
    );
    expect([exitCode, received]).toEqual([2, []]);
  });

  it('stays one text inside the quotes of a JSON body, and stands as written outside of them', async () => {
    write(
      'a.http',
      '### two\nPOST {{base_url}}/two\n\n{"a":"\\"","text":"{{row.name}}","n":{{row.n}},"again":"<{{row.name}}>"}\n',
    );
    write('rows.csv', 'name,n\n"say ""hi"", \\o/ \nyou",0.50\n');
    await run('--data', 'rows.csv');
    const text = 'say "hi", \\o/ \nyou';
    expect(received[0]!.body).toContain('"n":0.50,');
    expect(JSON.parse(received[0]!.body)).toEqual({ a: '"', text, n: 0.5, again: `<${text}>` });
  });

  it('stands as written in a body that is no JSON', async () => {
    write('a.http', '### two\nPOST {{base_url}}/two\nContent-Type: text/plain\n\nDear "{{row.name}}"\n');
    write('rows.csv', 'name\n"a ""b"""\n');
    await run('--data', 'rows.csv');
    expect(received[0]!.body).toBe('Dear "a "b""');
  });
});
