import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import forge from 'node-forge';
import { openBytes, sealBytes } from '../platform/crypto/sealed-frame';
import { readOwnFile, removeIfThere, writeFileDurably } from '../platform/files/files';

const FILE = 'listener-certificate.pem';
const VALID_DAYS = 397;
const DAY_MS = 86_400_000;

/** Where the sealed key stands, in the form that a certificate does, so that clients read past it. */
const SEALED =
  /-----BEGIN COUNTERSIGN SEALED KEY-----([\sA-Za-z0-9+/=]+)-----END COUNTERSIGN SEALED KEY-----/;
const PURPOSE = 'countersign.listener.certificate.1';
const IN_MEMORY =
  'The vault cannot seal the private key of the listener now, so it is kept in memory alone: this certificate is for ' +
  'this run. Unlock the vault (on the command line: COUNTERSIGN_PASSPHRASE) to have one that stays.';

/** `remark`: what the user must hear of it; null: nothing. */
export interface ListenerCertificate {
  key: string;
  cert: string;
  remark: string | null;
}

/**
 * Gives the listener's certificate for `localhost` and the loopback addresses.
 *
 * Kept in the data directory (mode 0600), so that a client that trusts it once goes on to; made anew a week before it
 * ends. Its private key is sealed, or not kept at all: one in the clear, of an earlier version, is replaced.
 * @param sealingKey - 32 bytes, Base64; null: nothing can seal
 */
export function readOrMakeCertificate(
  dataDirectory: string | null,
  sealingKey: string | null,
): ListenerCertificate {
  const file = dataDirectory === null ? null : join(dataDirectory, FILE);
  const text = file === null ? null : readText(file);
  if (file !== null && text?.includes('PRIVATE KEY-----')) removeIfThere(file);
  if (file === null || sealingKey === null) return { ...makeCertificate(), remark: file && IN_MEMORY };
  const stored = text === null ? null : openStored(text, sealingKey);
  if (stored !== null) return { ...stored, remark: null };
  const made = makeCertificate();
  writeFileDurably(file, made.cert + sealKey(made.key, sealingKey), { mode: 0o600 });
  return { ...made, remark: null };
}

function readText(file: string): string | null {
  try {
    return readOwnFile(file).toString('utf8');
  } catch {
    // Not there, or not readable: a new one takes its place.
    return null;
  }
}

function sealKey(key: string, sealingKey: string): string {
  const sealed = sealBytes(Buffer.from(sealingKey, 'base64'), randomBytes(12), Buffer.from(key), PURPOSE);
  const lines = sealed.toString('base64').replace(/(.{64})(?=.)/g, '$1\n');
  return `-----BEGIN COUNTERSIGN SEALED KEY-----\n${lines}\n-----END COUNTERSIGN SEALED KEY-----\n`;
}

function openStored(text: string, sealingKey: string): { key: string; cert: string } | null {
  try {
    const certificate = new X509Certificate(text);
    // Earlier versions made one that could sign others.
    if (certificate.ca || Date.parse(certificate.validTo) - Date.now() < 7 * DAY_MS) return null;
    const sealed = Buffer.from(SEALED.exec(text)?.[1] ?? '', 'base64');
    const key = openBytes(Buffer.from(sealingKey, 'base64'), sealed, PURPOSE)?.toString('utf8');
    return key === undefined ? null : { key, cert: certificate.toString() };
  } catch {
    // Not readable as a certificate: a new one takes its place.
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
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n') };
}
