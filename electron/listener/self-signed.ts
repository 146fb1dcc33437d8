import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { writeFileDurably } from '../platform/files/files';

const FILE = 'listener-certificate.pem';
const VALID_DAYS = 397;
const DAY_MS = 86_400_000;

/**
 * Gives the listener's certificate for `localhost` and the loopback addresses.
 *
 * Kept in the data directory with its key (mode 0600), so that a client that trusts it once goes on to; made
 * anew a week before it ends. It protects nothing but the loopback interface.
 */
export function readOrMakeCertificate(dataDirectory: string | null): { key: string; cert: string } {
  const file = dataDirectory === null ? null : join(dataDirectory, FILE);
  const stored = file === null ? null : readStored(file);
  if (stored !== null) return stored;
  const made = makeCertificate();
  if (file !== null) writeFileDurably(file, made.cert + made.key, { mode: 0o600 });
  return made;
}

function readStored(file: string): { key: string; cert: string } | null {
  try {
    const text = readFileSync(file, 'utf8');
    const certificate = new X509Certificate(text);
    // Earlier versions made one that could sign others.
    if (certificate.ca || Date.parse(certificate.validTo) - Date.now() < 7 * DAY_MS) return null;
    return { key: text, cert: text };
  } catch {
    // Not there, or not readable as a certificate: a new one takes its place.
    return null;
  }
}

function makeCertificate(): { key: string; cert: string } {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signingKey = forge.pki.privateKeyFromPem(privateKey);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(signingKey.n, signingKey.e);
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  certificate.validity.notBefore = new Date(Date.now() - DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + VALID_DAYS * DAY_MS);
  const name = [{ name: 'commonName', value: 'Countersign listener' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    // Whoever trusts it trusts it for these names: it can sign for no others.
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' },
      ],
    },
  ]);
  certificate.sign(signingKey, forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}
