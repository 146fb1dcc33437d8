import { spawn } from 'node:child_process';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOrMakeCertificate } from '../../electron/listener/self-signed';
import { makeTemporaryFolder } from '../support/temporary';

/** What a service may do to a request, and the exit code and words that the command line has for it. */
let directory: string;
let requestFile: string;
const opened: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(() => {
  directory = makeTemporaryFolder('hostile');
  requestFile = join(directory, 'status.http');
  writeFileSync(
    requestFile,
    '# @name Ask\nPOST {{base_url}}/anything\nContent-Type: application/json\n\n{"a": 1.00}\n',
  );
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of opened) server.close();
});

async function serve(onRequest: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => onRequest(socket));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

function listen(server: Server): Promise<number> {
  opened.push(server);
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

function send(baseUrl: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [
      'out/cli/index.js',
      'send',
      requestFile,
      '--base-url',
      baseUrl,
      '--timeout-ms',
      '1500',
      '--json',
    ]);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    child.on('close', (code) => resolve({ code, ...output }));
  });
}

describe('send, against services that misbehave', () => {
  it.each<[name: string, start: () => Promise<string>, words: RegExp]>([
    [
      'nothing listens',
      async () => {
        const url = await serve(() => undefined);
        await new Promise((done) => opened.pop()!.close(done));
        return url;
      },
      /Cannot reach 127\.0\.0\.1 on port \d+/,
    ],
    ['it never answers', () => serve(() => undefined), /did not answer within 1\.5 s/],
    [
      'it stops in the middle',
      () => serve((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nabc')),
      /did not finish its answer/,
    ],
    [
      'it drips without end',
      () =>
        serve((socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
          const timer = setInterval(() => socket.write('x'), 50);
          socket.on('close', () => clearInterval(timer));
        }),
      /did not finish its answer/,
    ],
    ['it hangs up', () => serve((socket) => socket.destroy()), /closed the connection/],
    [
      'it speaks something else',
      () => serve((socket) => void socket.end('220 mail.example ESMTP\r\n')),
      /not HTTP/,
    ],
    [
      'its certificate is its own',
      async () => {
        const server = createTlsServer(readOrMakeCertificate(null, null), (_request, response) =>
          response.end('{}'),
        );
        return `https://127.0.0.1:${await listen(server)}`;
      },
      /self-signed/,
    ],
    ['its host name does not exist', () => Promise.resolve('http://nowhere.invalid'), /was not found/],
  ])('says so and exits with 3 where %s', async (_name, start, words) => {
    const { code, stdout, stderr } = await send(await start());
    expect(`${stdout}${stderr}`).toMatch(words);
    expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
    expect(code).toBe(3);
  });

  it('cuts an answer that does not end, and stays small', async () => {
    const url = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const block = Buffer.alloc(1024 * 1024, 'x');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(block));
        if (!socket.destroyed) socket.once('drain', pour);
      };
      pour();
    });
    const { code, stdout } = await send(url);
    expect([0, 1]).toContain(code);
    const { body } = JSON.parse(stdout) as { body: string };
    expect(body.length).toBe(16 * 1024 * 1024);
  });
});
