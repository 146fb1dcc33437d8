import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { readVerifyingKey } from './read-keys';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const reading = (bytes: Uint8Array | string) => ({ readInput: () => Promise.resolve(Buffer.from(bytes)) });

it('takes no private key where a public one is asked for, in whatever form, and says what it is', async () => {
  const spki = publicKey.export({ type: 'spki', format: 'pem' });
  await expect(readVerifyingKey(reading(spki), 'public.pem')).resolves.toMatchObject({ kind: 'public' });
  for (const given of [
    privateKey.export({ type: 'pkcs8', format: 'pem' }),
    privateKey.export({ type: 'pkcs1', format: 'pem' }),
    privateKey.export({ type: 'pkcs8', format: 'der' }),
  ]) {
    await expect(readVerifyingKey(reading(given), 'private.pem', '--other-key')).rejects.toMatchObject({
      code: 'keys.private_for_public',
      message: expect.stringMatching(
        /^--other-key takes a public key, and private\.pem holds a private one/,
      ) as string,
    });
  }
});
