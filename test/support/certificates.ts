import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

export interface IssuedCertificate {
  certificate: string;
  /** PKCS#8, under the passphrase where one was given. */
  key: string;
}

export interface Authority {
  certificate: string;
  /** Issues a certificate for a host of this machine, or for a client of that name. */
  issue(name: string, options?: { passphrase?: string }): IssuedCertificate;
}

let serial = 1;

/** Makes an issuer of certificates that nobody trusts but who is told to. */
export function makeAuthority(name: string): Authority {
  const own = makeKeys();
  const subject = [{ name: 'commonName', value: name }];
  const root = makeCertificate(own.publicKey, subject, subject, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ]);
  const signer = forge.pki.privateKeyFromPem(own.rsaPem);
  root.sign(signer, forge.md.sha256.create());
  return {
    certificate: forge.pki.certificateToPem(root),
    issue(host, { passphrase } = {}) {
      const keys = makeKeys();
      const certificate = makeCertificate(keys.publicKey, [{ name: 'commonName', value: host }], subject, [
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: host },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ]);
      certificate.sign(signer, forge.md.sha256.create());
      const cipher = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
      return {
        certificate: forge.pki.certificateToPem(certificate),
        key: keys.privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }).toString(),
      };
    },
  };
}

/** One pair for all: making more takes seconds, and names tell them apart. */
const makeKeys = once(() => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey,
    rsaPem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    publicKey: forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  };
});

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function makeCertificate(
  publicKey: forge.pki.rsa.PublicKey,
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  extensions: object[],
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = String(serial++).padStart(2, '0');
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  return certificate;
}
