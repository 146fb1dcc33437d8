import { createPublicKey } from 'node:crypto';
import { AppError } from '@shared/errors';
import { isOneFile } from '../../platform/files/files';
import { fingerprintOf } from '../../services/vault/key-forms/key-reading';
import {
  generatePrivateKey,
  writeEncryptedPem,
  writePrivatePem,
} from '../../services/vault/key-forms/key-making';
import { defineCommand } from '../command';
import { passphraseNote, readPassphrase } from '../read-keys';
import { usageError } from '../usage-error';
import { requireOutput, writeOutput } from '../write-output';

export const command = defineCommand({
  usage: 'key generate [--bits 2048|3072|4096] [--out FILE] [--public-out FILE] [--encrypt] [--force]',
  summary: 'Make an RSA pair: private key as PKCS#8 PEM, public key as SPKI PEM.',
  notes: [
    'Without --out the private key goes to stdout. Files of private keys get mode 0600.',
    passphraseNote,
  ],
  options: {
    bits: {
      placeholder: 'N',
      help: 'Size',
      choices: ['2048', '3072', '4096'],
      fallback: '2048',
    },
    out: { placeholder: 'FILE', help: 'Write the private key here' },
    'public-out': { placeholder: 'FILE', help: 'Write the public key here' },
    encrypt: { type: 'flag', help: 'Protect the private key with COUNTERSIGN_KEY_PASSPHRASE' },
    force: { type: 'flag', help: 'Replace files that exist' },
  },
  async run(context, values) {
    const passphrase = values.encrypt ? readPassphrase(context) : undefined;
    if (values.encrypt && passphrase === undefined) {
      throw usageError('--encrypt needs a passphrase in COUNTERSIGN_KEY_PASSPHRASE.');
    }
    const publicFile = values['public-out'];
    if (values.out !== undefined && publicFile !== undefined && isOneFile(values.out, publicFile)) {
      throw usageError('--out and --public-out name one file. Give each half of the pair a file of its own.');
    }
    if (values.out === undefined) requireOutput('the private key');
    const key = await generatePrivateKey(Number(values.bits) as 2048 | 3072 | 4096);
    const publicKey = createPublicKey(key);
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const pem = passphrase === undefined ? writePrivatePem(key) : await writeEncryptedPem(key, passphrase);
    const isForced = values.force;
    if (values.out !== undefined)
      await writeOutput(values.out, pem, { flag: '--out', mode: 0o600, isForced });
    if (publicFile !== undefined) {
      try {
        await writeOutput(publicFile, publicPem, { flag: '--public-out', mode: 0o644, isForced });
      } catch (error) {
        throw sayPrivateIsWritten(error, values.out);
      }
    }
    const fingerprint = fingerprintOf(publicKey);
    if (context.isJson) {
      context.printJson({
        bits: Number(values.bits),
        fingerprint,
        ...(values.out === undefined ? { private_key_pem: pem } : { private_key_file: values.out }),
        ...(publicFile === undefined ? {} : { public_key_file: publicFile }),
        public_key_pem: publicPem,
      });
      return 0;
    }
    if (values.out === undefined) context.print(pem.trimEnd());
    else if (publicFile === undefined) context.print(publicPem.trimEnd());
    context.say(`RSA ${values.bits}, fingerprint ${fingerprint}`);
    if (!values.encrypt && readPassphrase(context) !== undefined) {
      context.say(
        'The private key is not protected: COUNTERSIGN_KEY_PASSPHRASE counts with --encrypt alone.',
      );
    }
    return 0;
  },
});

/** Whoever reads that a file could not be written takes it that none was. */
function sayPrivateIsWritten(error: unknown, file: string | undefined): unknown {
  if (!(error instanceof AppError) || file === undefined) return error;
  const what = `The new private key is in ${file} already, and countersign key public ${file} gives its public half.`;
  return new AppError(error.code, `${error.message} ${what}`, { cause: error });
}
