import { createPublicKey, randomBytes } from 'node:crypto';
import type { Given } from '../../platform/ports';
import { createSandbox } from '../../sandbox/create-sandbox';
import { fingerprintOf } from '../../services/vault/key-forms/key-reading';
import { generatePrivateKey } from '../../services/vault/key-forms/key-making';

/** The payments service of one run. */
export interface RunSandbox {
  readonly baseUrl: string;
  /** What signs and logs in there, and nowhere else. */
  readonly given: Pick<Given, 'signingKey' | 'credentials'>;
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

/** Starts a sandbox in memory, with a key and credentials made for this run. */
export async function startSandbox(): Promise<RunSandbox> {
  const privateKey = await generatePrivateKey(2048);
  const publicKey = createPublicKey(privateKey);
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const credentials = {
    consumerKey: `run-${randomBytes(6).toString('hex')}`,
    consumerSecret: randomBytes(24).toString('hex'),
  };
  const sandbox = await createSandbox({ port: 0, publicKeys: [publicKeyPem], ...credentials });
  return {
    baseUrl: sandbox.baseUrl,
    given: { signingKey: { fingerprint: fingerprintOf(publicKey), publicKeyPem, privateKey }, credentials },
    secrets: [credentials.consumerSecret, sandbox.adminToken],
    close: () => sandbox.close(),
  };
}
