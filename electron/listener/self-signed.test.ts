import { X509Certificate } from 'node:crypto';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { readOrMakeCertificate } from './self-signed';

it('makes a certificate for this machine alone, which can sign for no other name', () => {
  const certificate = new X509Certificate(readOrMakeCertificate(null).cert);
  expect(certificate.ca).toBe(false);
  expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  expect(certificate.checkHost('bank.example')).toBeUndefined();
});

it('is trusted by a client that was given it', async () => {
  const made = readOrMakeCertificate(null);
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

it('keeps one, for this user alone', () => {
  const directory = makeTemporaryFolder('certificate');
  const first = readOrMakeCertificate(directory);
  expect(readOrMakeCertificate(directory).cert).toContain(first.cert);
  writeFileSync(join(directory, 'listener-certificate.pem'), 'damaged');
  expect(new X509Certificate(readOrMakeCertificate(directory).cert).ca).toBe(false);
  expect(readFileSync(join(directory, 'listener-certificate.pem'), 'utf8')).toContain('BEGIN CERTIFICATE');
});
