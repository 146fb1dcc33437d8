import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const MIB = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };
const filler = 'x'.repeat(1022);

/** An answer that is JSON, of exactly so many bytes. */
function writeLong(response: ServerResponse, sizeBytes: number, isChunked: boolean): void {
  const head = '{"code":"ACCEPTED","list":["';
  const tail = '"]}';
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(sizeBytes - head.length - tail.length, 97),
    Buffer.from(tail),
  ]);
  response.writeHead(200, { ...json, ...(!isChunked && { 'Content-Length': body.length }) });
  response.end(body);
}

/** Writes for as long as somebody reads. */
function writeWithoutEnd(response: ServerResponse): void {
  response.writeHead(200, json).write('["');
  const more = (): void => {
    while (!response.destroyed && response.write(filler)) continue;
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

/** More than a call takes arguments. */
const many = 150_000;
const listed = `[${'{},'.repeat(many)}{}]`;
const secrets = JSON.stringify(Array.from({ length: many }, (_, index) => ({ token: `secret-${index}` })));

const deep = `${'['.repeat(300)}${']'.repeat(300)}`;

const answers: Record<string, (response: ServerResponse) => void> = {
  '/long': (response) => writeLong(response, 20 * MIB, false),
  '/long-chunked': (response) => writeLong(response, 20 * MIB, true),
  '/endless': writeWithoutEnd,
  '/gzip': (response) =>
    response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync('{"code":"ACCEPTED"}')),
  '/bomb': (response) =>
    response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * MIB))),
  '/deep': (response) => response.writeHead(200, json).end(deep),
  '/forty-levels': (response) =>
    response.writeHead(200, json).end(`${'{"a":'.repeat(40)}"found"${'}'.repeat(40)}`),
  '/many': (response) => response.writeHead(400, json).end(`{"errors":${listed}}`),
  '/secrets': (response) => response.writeHead(200, json).end(`{"a":${secrets}}`),
  '/empty': (response) => response.writeHead(200, json).end(),
  '/page': (response) => response.writeHead(200, json).end('<h1>Gateway</h1>'),
  '/broken-chunk': (response) =>
    void (response.socket as Socket).end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'),
  '/short': (response) =>
    void (response.socket as Socket).end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"code":'),
};

let server: Server;
let base: string;
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => answers[request.url ?? '']?.(response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = makeTemporaryFolder('hostile');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (name: string, ...lines: string[]): string =>
  [`### ${name}`, ...lines.map((line) => `# @${line}`), `GET {{base_url}}/${name}`, '', ''].join('\n');

interface Told {
  name: string;
  outcome: string;
  reason: string | null;
  expectations: { text: string; outcome: string; received: string }[];
}

async function run(text: string, ...more: string[]) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.http'), text);
  const ended = await runOnce(['run', 'a.http', '--base-url', base, '--json', ...more], { cwd: folder });
  const told = ended.json.filter(({ event }) => event === 'request') as unknown as Told[];
  const receivedOf = (name: string) =>
    told
      .find((one) => one.name === name)!
      .expectations.map(({ outcome, received }) => `${outcome}: ${received}`);
  return { ...ended, told, receivedOf };
}

describe('run, of an answer that nobody could read to its end', () => {
  it('says how long it is and how much is read, and neither that it is not JSON nor that anything holds', async () => {
    const lines = ['body code == ACCEPTED', 'body code != OTHER', 'body nothing not exists', 'schema payout'];
    const expectations = [
      'status 200',
      ...lines,
      'body contains ACCEPTED',
      'same as example none',
      'body exists',
    ];
    const { receivedOf, exitCode, stdout } = await run(
      get('long', ...expectations.map((one) => `expect ${one}`)) +
        get('long-chunked', 'expect body code == ACCEPTED') +
        get('endless', 'expect status 200', 'expect body 0 exists'),
    );
    const tooLong = (size: string) => `failed: an answer that is too long to be judged (${size})`;
    const known = tooLong('20 MiB, of which the first 16 MiB are read');
    const unknown = tooLong('more than the 16 MiB that are read');
    expect(receivedOf('long').slice(1)).toEqual([
      ...Array<string>(6).fill(known),
      expect.stringMatching(/^held/),
    ]);
    expect(receivedOf('long')[0]).toMatch(/^held: 200/);
    expect(receivedOf('long-chunked')).toEqual([unknown]);
    expect(receivedOf('endless')[1]).toBe(unknown);
    expect([exitCode, stdout.includes('not JSON')]).toEqual([1, false]);
  });

  it('says what a compressed, a deep, an empty and another body is', async () => {
    const { receivedOf } = await run(
      get('gzip', 'expect body code == ACCEPTED') +
        get('bomb', 'expect body code == ACCEPTED') +
        get('deep', 'expect schema payout') +
        get('forty-levels', `expect body ${Array<string>(40).fill('a').join('.')} == found`) +
        get('empty', 'expect schema payout') +
        get('page', 'expect schema payout'),
    );
    const compressed =
      'failed: an answer that is compressed (gzip) and not unpacked: send Accept-Encoding: identity';
    expect(receivedOf('gzip')).toEqual([compressed]);
    expect(receivedOf('bomb')).toEqual([compressed]);
    expect(receivedOf('deep')).toEqual([
      'failed: the body is nested deeper than 256 levels, which is not judged',
    ]);
    expect(receivedOf('forty-levels')).toEqual(['held: "found"']);
    expect(receivedOf('empty')).toEqual(['failed: the body is empty']);
    expect(receivedOf('page')).toEqual(['failed: the body is not JSON']);
  });

  it('says why a capture got nothing where its value is asked for', async () => {
    const { told } = await run(
      get('long', 'capture code = body code') +
        '### next\nGET {{base_url}}/page?code={{code}}\n\n' +
        get('page', 'capture other = header X-Other') +
        '### last\n# @expect status {{other}}\nGET {{base_url}}/page\n',
    );
    expect(told.find(({ name }) => name === 'next')).toMatchObject({
      outcome: 'error',
      reason:
        "Nobody gave {{code}}. 'long' (a.http) was to capture code from body code, but its answer is too long to be judged (20 MiB, of which the first 16 MiB are read).",
    });
    expect(told.find(({ name }) => name === 'last')!.expectations[0]).toMatchObject({
      advice:
        "Nobody gave {{other}}. 'page' (a.http) was to capture other from header X-Other, but its answer has none.",
    });
  });

  it('takes an answer that breaks off for none', async () => {
    const { told, exitCode } = await run(
      get('broken-chunk', 'expect status 200') + get('short', 'expect status 200'),
    );
    expect(told.map(({ outcome }) => outcome)).toEqual(['error', 'error']);
    for (const { reason } of told) expect(reason).toMatch(/127\.0\.0\.1/);
    expect(exitCode).toBe(3);
  });

  it('names an example that is too large to be compared with', async () => {
    writeFileSync(join(folder, 'big.example.json'), `"${'x'.repeat(5 * MIB)}"`);
    const { receivedOf } = await run(get('page', 'expect same as example big'));
    expect(receivedOf('page')).toEqual(['failed: big.example.json is larger than 4 MiB and was not read']);
  });
});

describe('run, of more than anybody writes by hand', () => {
  it('judges an answer of 150,000 errors', async () => {
    const { told, exitCode } = await run(get('many', 'expect status 400'));
    expect(told).toMatchObject([{ name: 'many', outcome: 'passed' }]);
    expect(exitCode).toBe(0);
  });

  it('keeps 150,000 secrets that one value brings out of what it tells', async () => {
    const text = get('secrets', 'capture all = body a', 'expect body a[1].token == x');
    const { told, stdout } = await run(text);
    expect(told).toMatchObject([{ name: 'secrets', outcome: 'failed' }]);
    expect(stdout).not.toContain('secret-');
  });

  it('reads a request of 200,000 expectations', async () => {
    const { told } = await run(
      get('many', 'skip too many', `${'expect webhook within 1ms\n# @'.repeat(200_000)}tag a`),
    );
    expect(told).toMatchObject([{ name: 'many', outcome: 'skipped' }]);
  });

  it('says of 150,000 faults where they begin', async () => {
    const { exitCode, stderr } = await run(`GET {{base_url}}/many\n${'no header\n'.repeat(many)}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('a.http:2');
  });
});

describe('send', () => {
  it('says on stderr that what it prints is only the beginning', async () => {
    writeFileSync(join(folder, 'b.http'), get('long'));
    const { stdout, stderr } = await runOnce(['send', 'b.http', '--base-url', base], { cwd: folder });
    expect(stderr).toContain('too long to be judged (20 MiB, of which the first 16 MiB are read)');
    expect(stdout.length).toBeLessThan(17 * MIB);
    const told = await runOnce(['send', 'b.http', '--base-url', base, '--json'], { cwd: folder });
    expect(told.json[0]).toMatchObject({ http_status: 200, is_cut: true });
  });
});
