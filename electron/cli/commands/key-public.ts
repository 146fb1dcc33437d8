import { defineCommand } from '../command';
import { passphraseNote, readKeyFile, refuseToLose } from '../read-keys';
import { writeOutput } from '../write-output';

export const command = defineCommand({
  usage: 'key public FILE [--out FILE]',
  summary: 'Give the public key of a pair as SPKI PEM: what the service registers.',
  notes: [passphraseNote],
  options: {
    out: { placeholder: 'FILE', help: 'Write it here instead of stdout' },
    force: { type: 'flag', help: 'Replace a file that exists' },
  },
  positionals: [{ name: 'FILE', isRequired: true, help: 'Key in any form, - for standard input' }],
  async run(context, values, [file = '']) {
    const { key } = await readKeyFile(context, file);
    refuseToLose(key, file, values.out);
    if (values.out !== undefined) {
      await writeOutput(values.out, key.publicKeyPem, { flag: '--out', mode: 0o644, isForced: values.force });
    }
    if (context.isJson) context.printJson({ fingerprint: key.fingerprint, public_key_pem: key.publicKeyPem });
    else if (values.out === undefined) context.print(key.publicKeyPem.trimEnd());
    return 0;
  },
});
