import { defineCommand } from '../command';
import { passphraseNote, readKeyFile } from '../read-keys';

export const command = defineCommand({
  usage: 'key inspect FILE',
  summary: 'Tell what a key file holds: kind, form, size, fingerprint, and what had to be mended to read it.',
  notes: [passphraseNote],
  options: {},
  positionals: [{ name: 'FILE', isRequired: true, help: 'Key in any form, - for standard input' }],
  async run(context, _values, [file = '']) {
    const { key } = await readKeyFile(context, file);
    const found = {
      kind: key.kind,
      format: key.format,
      bits: key.bits,
      exponent: key.exponent,
      fingerprint: key.fingerprint,
      repairs: key.repairs,
      public_key_pem: key.publicKeyPem,
    };
    if (context.isJson) {
      context.printJson(found);
      return 0;
    }
    context.print(
      `${key.kind === 'private' ? 'Private' : 'Public'} RSA key, ${key.bits} bits, exponent ${key.exponent}`,
    );
    context.print(`Form: ${key.format}`);
    context.print(`Fingerprint (SHA-256 of SPKI): ${key.fingerprint}`);
    for (const repair of key.repairs) context.print(`Note: ${repair}`);
    return 0;
  },
});
