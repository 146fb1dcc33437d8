import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { EnvironmentSetup, ServiceProfile } from '@shared/contract/environment-setup';
import { readWebhookState } from '@shared/payments/tables/states';
import { errorsOf } from '../errors-of';
import { countRounds, MOST_ROUNDS } from '../vault/key-forms/key-stretching';

const EnvironmentsError = errorsOf<'environments.setUp'>();

const pemCertificate = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;
const MOST_CERTIFICATES = 50;

function refuse(field: string, message: string): never {
  throw new EnvironmentsError('environments.bad_setup', message, { details: { field } });
}

/**
 * Checks what is said of an environment's service and brings it into the form that is kept.
 *
 * Nothing of it may lead elsewhere than to the environment's own host: a token path is a path.
 * @throws {AppError} `environments.bad_setup` naming the field
 */
export function checkSetup(setup: EnvironmentSetup): EnvironmentSetup {
  return {
    ...setup,
    proxyUrl: readProxy(setup.proxyUrl.trim()),
    proxyUser: readProxyUser(setup),
    ca: readCertificates('ca', setup.ca),
    clientCertificate: readCertificates('clientCertificate', setup.clientCertificate),
    profile: checkProfile(setup.profile),
  };
}

function readProxy(text: string): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return refuse(
      'proxyUrl',
      'Write the proxy as http://host:port or https://host:port; SOCKS is not spoken.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    return refuse(
      'proxyUrl',
      'Take user name and password out of the proxy’s address: they have fields of their own.',
    );
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return refuse('proxyUrl', 'A proxy’s address ends after its port.');
  }
  return url.origin;
}

function readProxyUser({ proxyUser, proxyUrl }: EnvironmentSetup): string {
  const user = proxyUrl.trim() === '' ? '' : proxyUser.trim();
  if (/[:\p{Cc}]/u.test(user))
    refuse('proxyUser', 'A proxy’s user name holds no colon and no control characters.');
  return user;
}

const certificateNames = { ca: 'the CA', clientCertificate: 'the client certificate' } as const;

/** Keeps the certificates alone of what was pasted: bags of attributes and comments stand between them. */
function readCertificates(field: keyof typeof certificateNames, text: string): string {
  if (text.trim() === '') return '';
  if (text.includes('PRIVATE KEY-----')) {
    refuse(field, `A private key stands in ${certificateNames[field]}: paste the certificate alone.`);
  }
  const found = text.match(pemCertificate) ?? [];
  if (found.length === 0 || found.length > MOST_CERTIFICATES) {
    refuse(
      field,
      `Paste ${certificateNames[field]} as PEM: lines from BEGIN CERTIFICATE to END CERTIFICATE.`,
    );
  }
  for (const [index, pem] of found.entries()) {
    if (readCertificate(pem) === null) {
      refuse(
        field,
        `Certificate ${index + 1} of ${certificateNames[field]} cannot be read. Export it as PEM again.`,
      );
    }
  }
  return `${found.join('\n')}\n`;
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    // The caller names which one it is.
    return null;
  }
}

/**
 * Makes sure that a client certificate can be used: its key opens, and is its own.
 *
 * @param certificate - as {@link checkSetup} gave it
 * @throws {AppError} `environments.bad_setup`
 */
export function checkClientKey(certificate: string, pem: string, passphrase: string): void {
  const key = openKey(pem, passphrase);
  if (!readCertificate(certificate)?.checkPrivateKey(key)) {
    refuse(
      'clientKey',
      'This private key is not that of the client certificate. Enter the two that belong together.',
    );
  }
}

/** The most rounds that one of the blocks asks for. */
const countPemRounds = (pem: string): number =>
  Math.max(
    0,
    ...pem.split('-----BEGIN ').map((block) => {
      const [, body = ''] = block.split('-----');
      return countRounds(Buffer.from(body, 'base64'));
    }),
  );

function openKey(pem: string, passphrase: string): KeyObject {
  if (passphrase !== '' && countPemRounds(pem) > MOST_ROUNDS) {
    refuse(
      'clientKey',
      `The key of the client certificate asks for more than ${MOST_ROUNDS} rounds to open it, at each start anew. Save it with fewer: openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE`,
    );
  }
  try {
    return createPrivateKey({ key: pem, format: 'pem', ...(passphrase === '' ? {} : { passphrase }) });
  } catch {
    return refuse(
      'clientKey',
      'The key of the client certificate cannot be opened. Paste it as PEM, with its passphrase where it has one.',
    );
  }
}

function checkProfile(profile: ServiceProfile): ServiceProfile {
  const tokenPath = profile.tokenPath.trim();
  checkTokenPath(tokenPath);
  const { consumerKey, consumerSecret, product } = profile.requestNames;
  const asked = [consumerKey, consumerSecret, product].filter((name) => name !== '');
  if (consumerKey === '' || consumerSecret === '' || new Set(asked).size < asked.length) {
    refuse('requestNames', 'Consumer key and secret each need a field of their own in the token call.');
  }
  if (profile.answerNames.accessToken === '') {
    refuse('answerNames', 'Say which field of the answer holds the token.');
  }
  return { ...profile, tokenPath, webhookStates: readStates(profile.webhookStates) };
}

/** Consumer key and secret go there: to the environment's own host, whatever is written. */
function checkTokenPath(path: string): void {
  const home = 'https://host.invalid';
  const isPath = path.startsWith('/') && !/[\s\\#\p{Cc}]/u.test(path) && URL.canParse(path, home);
  if (isPath && new URL(path, home).origin === home && !path.startsWith('//')) return;
  refuse(
    'tokenPath',
    'The token path is a path of the environment’s own host: it begins with one /, such as /auth/v1/token.',
  );
}

function readStates(given: ServiceProfile['webhookStates']): ServiceProfile['webhookStates'] {
  const states = Object.entries(given).map(([name, state]) => [name.trim().toUpperCase(), state] as const);
  for (const [name] of states) {
    if (!/^[A-Z][\w.\- ]*$/.test(name)) {
      refuse('webhookStates', 'A webhook’s state is a word such as PENDING: letters, digits, _ . and -.');
    }
    const known = readWebhookState(name);
    if (known !== null) {
      refuse('webhookStates', `${name} means ${known} already. List what the interface does not name.`);
    }
  }
  return Object.fromEntries(states);
}
