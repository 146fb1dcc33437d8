import type { KeyObject } from 'node:crypto';
import { AppError } from '@shared/errors';
import { writeEncryptedPem } from '../../services/vault/key-forms/key-making';
import { readKey, readPrivateKey } from '../../services/vault/key-forms/key-reading';
import { defineCommand, type CommandContext } from '../command';
import { passphraseNote, readKeyFile, readPassphrase, refuseToLose } from '../read-keys';
import { usageError } from '../usage-error';
import { writeOutput } from '../write-output';

const forms = ['pkcs8', 'pkcs8-der', 'pkcs8-encrypted', 'pkcs1', 'spki', 'spki-der'] as const;
type Form = (typeof forms)[number];

async function convert(context: CommandContext, bytes: Uint8Array, form: Form): Promise<string | Uint8Array> {
  const passphrase = readPassphrase(context);
  if (form === 'spki') return (await readKey(bytes, passphrase)).publicKeyPem;
  if (form === 'spki-der') {
    return (await readKey(bytes, passphrase)).publicKey.export({ type: 'spki', format: 'der' });
  }
  const { privateKey } = await readPrivateKey(bytes, passphrase);
  if (form === 'pkcs8-encrypted') {
    const next = context.environment['COUNTERSIGN_NEW_KEY_PASSPHRASE'] || passphrase;
    if (next === undefined) {
      throw usageError('--to pkcs8-encrypted needs a passphrase in COUNTERSIGN_NEW_KEY_PASSPHRASE.');
    }
    return writeEncryptedPem(privateKey, next);
  }
  return writePlain(privateKey, form);
}

function writePlain(key: KeyObject, form: 'pkcs8' | 'pkcs8-der' | 'pkcs1'): string | Uint8Array {
  if (form === 'pkcs8-der') return key.export({ type: 'pkcs8', format: 'der' });
  return key.export({ type: form, format: 'pem' }).toString();
}

export const command = defineCommand({
  usage: `key convert FILE --to ${forms.join('|')} [--out FILE]`,
  summary: 'Write a key in another form: PKCS#1 to PKCS#8, DER to PEM, with a passphrase or without.',
  notes: [passphraseNote, 'pkcs8-encrypted takes the new passphrase from COUNTERSIGN_NEW_KEY_PASSPHRASE.'],
  options: {
    to: { placeholder: 'FORM', help: 'Form to write', choices: forms, fallback: 'pkcs8' },
    out: { placeholder: 'FILE', help: 'Write it here instead of stdout; needed for DER' },
    force: { type: 'flag', help: 'Replace a file that exists' },
  },
  positionals: [{ name: 'FILE', isRequired: true, help: 'Key in any form, - for standard input' }],
  async run(context, values, [file = '']) {
    const form = values.to as Form;
    if (form.endsWith('-der') && values.out === undefined) throw usageError(`--to ${form} needs --out FILE.`);
    const { bytes, key } = await readKeyFile(context, file);
    if (form.startsWith('spki')) refuseToLose(key, file, values.out);
    const { fingerprint, format, repairs } = key;
    const written = await convert(context, bytes, form);
    if (values.out !== undefined) {
      const mode = form.startsWith('spki') ? 0o644 : 0o600;
      await writeOutput(values.out, written, { flag: '--out', mode, isForced: values.force });
    }
    if (context.isJson) {
      const place = values.out === undefined ? { pem: readPem(written) } : { file: values.out };
      context.printJson({ from: format, to: form, fingerprint, repairs, ...place });
    } else if (values.out === undefined) context.print(readPem(written).trimEnd());
    else context.say(`${format} written as ${form}: ${values.out}`);
    return 0;
  },
});

function readPem(written: string | Uint8Array): string {
  if (typeof written === 'string') return written;
  throw new AppError('cli.usage', 'DER is written to a file: add --out FILE.');
}
