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
const newPassphrase = 'COUNTERSIGN_NEW_KEY_PASSPHRASE';

/** Whoever gives a new passphrase has no private key written that anybody can read. */
function chooseForm({ environment }: CommandContext, asked: Form | undefined): Form {
  if (!environment[newPassphrase]) return asked ?? 'pkcs8';
  const form = asked ?? 'pkcs8-encrypted';
  if (form === 'pkcs8-encrypted' || form.startsWith('spki')) return form;
  throw usageError(
    `${newPassphrase} is set, and --to ${form} writes the private key without a passphrase. Choose --to pkcs8-encrypted, or take the variable away.`,
  );
}

async function convert(context: CommandContext, bytes: Uint8Array, form: Form): Promise<string | Uint8Array> {
  const passphrase = readPassphrase(context);
  if (form === 'spki') return (await readKey(bytes, passphrase)).publicKeyPem;
  if (form === 'spki-der') {
    return (await readKey(bytes, passphrase)).publicKey.export({ type: 'spki', format: 'der' });
  }
  const { privateKey } = await readPrivateKey(bytes, passphrase);
  if (form === 'pkcs8-encrypted') {
    const next = context.environment[newPassphrase] || passphrase;
    if (next === undefined) {
      throw usageError(`--to pkcs8-encrypted needs a passphrase in ${newPassphrase}.`);
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
  usage: `key convert FILE [--to ${forms.join('|')}] [--out FILE]`,
  summary: 'Write a key in another form: PKCS#1 to PKCS#8, DER to PEM, with a passphrase or without.',
  notes: [
    passphraseNote,
    `pkcs8-encrypted takes the new passphrase from ${newPassphrase}; where that is set, no private key is written without.`,
  ],
  options: {
    to: {
      placeholder: 'FORM',
      help: `Form to write; left out: pkcs8, or pkcs8-encrypted where ${newPassphrase} is set`,
      choices: forms,
    },
    out: { placeholder: 'FILE', help: 'Write it here instead of stdout; needed for DER' },
    force: { type: 'flag', help: 'Replace a file that exists' },
  },
  positionals: [{ name: 'FILE', isRequired: true, help: 'Key in any form, - for standard input' }],
  async run(context, values, [file = '']) {
    const form = chooseForm(context, values.to as Form | undefined);
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
