import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assembleBody } from '@shared/http-file/assemble-body';
import { createDynamicValues } from '@shared/http-file/dynamic-values';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { prepareRequest, type PreparedRequest } from '@shared/http-file/prepare-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../electron/platform/http/http-client';
import { differences, edgeFiles } from '../support/edge-files';

/** The same files through httpYac and through Countersign: method, address, headers and body as they reach a service. */
interface Received {
  method: string;
  url: string;
  headers: [string, string][];
  body: Buffer;
}

const starter = resolve('resources/starter/Payments API');
const starterFiles = readdirSync(starter, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.http'),
);
const secrets = { remittance: 'T-R', payout: 'T-P', collection: 'T-C' };
const bytes = Buffer.from([0, 255, 128, 10, 13, 10]);
let folder: string;
let server: Server;
let baseUrl: string;
/** What reached the service, by who sent it and what it is: `httpyac edge-json`. */
const received = new Map<string, Received>();

const variablesFor = (sender: string) => ({
  base_url: `${baseUrl}/${sender}`,
  callback_url: 'http://127.0.0.1:1/hooks',
  last_reference: 'R-LAST',
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-httpyac-'));
  cpSync(starter, join(folder, 'starter'), { recursive: true });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, sender = '', ...rest] = (request.url ?? '').split('/');
      const url = `/${rest.join('/')}`;
      const headers: [string, string][] = [];
      for (let at = 0; at < request.rawHeaders.length; at += 2) {
        headers.push([request.rawHeaders[at]!, request.rawHeaders[at + 1]!]);
      }
      const key = `${sender} ${request.headers['x-file'] ?? rest[0]?.split('?')[0] ?? ''}`;
      received.set(key, { method: request.method ?? '', url, headers, body: Buffer.concat(chunks) });
      response.setHeader('Content-Type', 'application/json');
      response.end('{}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFiles();
  await runHttpyac();
  const http = createHttpClient();
  for (const [name, text] of Object.entries(readFiles())) await sendOurs(http, name, text);
}, 120_000);
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeFiles(): void {
  const environment = { ...variablesFor('httpyac'), token: secrets, signature: 'SIGNATURE' };
  writeFileSync(join(folder, 'http-client.env.json'), JSON.stringify({ edge: environment }));
  writeFileSync(join(folder, 'x.bin'), bytes);
  for (const [name, text] of Object.entries(edgeFiles)) writeFileSync(join(folder, `${name}.http`), text);
  for (const [name, { text }] of Object.entries(differences)) {
    writeFileSync(join(folder, `${name}.http`), text);
  }
  for (const path of starterFiles) {
    const file = join(folder, 'starter', path);
    // Which file it is, for the service: the starter's addresses are not one to a file.
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^((?:GET|POST) .*)$/m, `$1\nX-File: ${encodeURI(path)}`),
    );
  }
}

function readFiles(): Record<string, string> {
  const edges = Object.entries({
    ...edgeFiles,
    ...Object.fromEntries(Object.entries(differences).map(([name, { text }]) => [name, text])),
  });
  const starters = starterFiles.map(
    (path) => [path, readFileSync(join(folder, 'starter', path), 'utf8')] as const,
  );
  return Object.fromEntries([...edges, ...starters]);
}

function runHttpyac(): Promise<void> {
  const entry = resolve('node_modules/httpyac/bin/httpyac.js');
  const args = [entry, 'send', '**/*.http', '--all', '--env', 'edge', '--output', 'none', '--no-color'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  return new Promise((done) => child.once('close', () => done()));
}

async function sendOurs(
  http: ReturnType<typeof createHttpClient>,
  name: string,
  text: string,
): Promise<void> {
  const prepared = prepareRequest(parseHttpFile(text).requests[0]!, {
    variables: variablesFor('countersign'),
    dynamic: createDynamicValues({
      now: () => Date.now(),
      random: {
        uuid: () => crypto.randomUUID(),
        bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      },
    }),
  });
  expect([prepared.unresolved, prepared.faults], name).toEqual([[], []]);
  await http({
    method: prepared.method,
    url: prepared.url,
    headers: fill(prepared),
    body: assembleBody(prepared, (path) => readFileSync(join(folder, path)))?.bytes ?? null,
    timeoutMs: 10_000,
    maxResponseBytes: 10_000,
  });
}

const fill = ({ headers }: PreparedRequest): [string, string][] =>
  headers.map(([header, value]) => [
    header,
    value
      .replace(/\{\{token\.(\w+)\}\}/, (_whole, product: keyof typeof secrets) => secrets[product])
      .replace('{{signature}}', 'SIGNATURE'),
  ]);

/** Values that are drawn anew, made alike. */
const settle = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+Z)?/g, 'TIME')
    .replace(/TEST-\w{10}|(?<="payment_uuid": ")\d+/g, 'DRAWN');

function compare(name: string, text: string): void {
  const theirs = received.get(`httpyac ${name}`);
  const ours = received.get(`countersign ${name}`);
  expect(theirs, `httpYac sent ${name}`).toBeDefined();
  expect(ours, `Countersign sent ${name}`).toBeDefined();
  const names = parseHttpFile(text).requests[0]!.headers.map((header) => header.name.toLowerCase());
  const view = ({ method, url, headers, body }: Received) => ({
    method,
    url: settle(url),
    headers: headers
      .filter(([header]) => names.includes(header.toLowerCase()))
      .map(([header, value]) => [header.toLowerCase(), value])
      .toSorted(),
    body: settle(body.toString('latin1')),
  });
  expect(view(ours!)).toEqual(view(theirs!));
}

describe('Countersign and httpYac', () => {
  it.each(Object.entries(edgeFiles))('send %s alike', (name, text) => compare(name, text));

  it.each(starterFiles)('send “%s” of the starter alike', (path) => {
    compare(encodeURI(path), readFileSync(join(folder, 'starter', path), 'utf8'));
  });

  it.each(Object.entries(differences))('differ in %s, as documented', (name, { httpyac, countersign }) => {
    expect(received.get(`httpyac ${name}`)?.body.toString() ?? null).toBe(httpyac);
    expect(received.get(`countersign ${name}`)?.body.toString()).toBe(countersign);
  });
});
