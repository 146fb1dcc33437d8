import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface KeyPair {
  privateKeyPem: string;
  publicKeyPem: string;
}

/** Makes an RSA-2048 pair with openssl: keys and signatures here are not of our own making. */
export function makeKeyPair(): KeyPair {
  const privateKeyPem = execFileSync(
    'openssl',
    ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const publicKeyPem = execFileSync('openssl', ['pkey', '-pubout'], {
    input: privateKeyPem,
    encoding: 'utf8',
  });
  return { privateKeyPem, publicKeyPem };
}

/** Signs text with openssl: RSA PKCS#1 v1.5 over SHA-256, Base64. */
export function signWithOpenssl(text: string, { privateKeyPem }: KeyPair): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-openssl-'));
  const [keyFile, textFile, signatureFile] = ['key.pem', 'text', 'signature'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  writeFileSync(keyFile, privateKeyPem);
  writeFileSync(textFile, text);
  execFileSync('openssl', ['dgst', '-sha256', '-sign', keyFile, '-out', signatureFile, textFile]);
  const signature = readFileSync(signatureFile).toString('base64');
  rmSync(directory, { recursive: true, force: true });
  return signature;
}
