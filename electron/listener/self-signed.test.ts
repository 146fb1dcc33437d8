import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { readOrMakeCertificate } from './self-signed';

it('makes a certificate for this machine alone, which can sign for no other name', () => {
  const certificate = new X509Certificate(readOrMakeCertificate(null, null).cert);
  expect(certificate.ca).toBe(false);
  expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  expect(certificate.checkHost('bank.example')).toBeUndefined();
});

it('is trusted by a client that was given it', async () => {
  const made = readOrMakeCertificate(null, null);
  const server = createServer(made, (_request, response) => response.end('yes'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const status = await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, ca: made.cert }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
  server.close();
});

const sealingKey = Buffer.alloc(32, 7).toString('base64');
const other = Buffer.alloc(32, 8).toString('base64');
const read = (directory: string): string => readFileSync(join(directory, 'listener-certificate.pem'), 'utf8');

it('keeps one, for this user alone, its private key sealed', () => {
  const directory = makeTemporaryFolder('certificate');
  const first = readOrMakeCertificate(directory, sealingKey);
  expect(read(directory)).toContain('BEGIN CERTIFICATE');
  expect(read(directory)).not.toContain('PRIVATE KEY');
  expect(readOrMakeCertificate(directory, sealingKey)).toEqual(first);
  expect(statSync(join(directory, 'listener-certificate.pem')).mode & 0o777).toBe(0o600);
  expect(readOrMakeCertificate(directory, other).key).not.toBe(first.key);
  writeFileSync(join(directory, 'listener-certificate.pem'), 'damaged');
  expect(new X509Certificate(readOrMakeCertificate(directory, sealingKey).cert).ca).toBe(false);
  expect(read(directory)).toContain('BEGIN CERTIFICATE');
});

it('keeps none where nothing can seal it, says so, and leaves one that is sealed', () => {
  const directory = makeTemporaryFolder('certificate-memory');
  expect(readOrMakeCertificate(directory, null).remark).toContain('in memory');
  expect(readdirSync(directory)).toEqual([]);
  const kept = readOrMakeCertificate(directory, sealingKey);
  expect(readOrMakeCertificate(directory, null).key).not.toBe(kept.key);
  expect(readOrMakeCertificate(directory, sealingKey)).toEqual(kept);
});

it.each([
  ['sealed', sealingKey],
  ['kept in memory', null],
])('replaces a key that an earlier version left in the clear: %s', (_name, seals) => {
  const directory = makeTemporaryFolder('certificate-clear');
  const { key, cert } = readOrMakeCertificate(null, null);
  writeFileSync(join(directory, 'listener-certificate.pem'), cert + key);
  expect(readOrMakeCertificate(directory, seals).key).not.toBe(key);
  const left = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  expect(left.join()).not.toContain('PRIVATE KEY');
});
