import type { ReadKey, ReadPrivateKey } from '../services/vault/key-forms/key-reading';
import type { CommandContext } from './command';

const maxKeyBytes = 1024 * 1024;

/** Where a passphrase comes from: never from the arguments, which others on the machine can see. */
export const passphraseNote =
  'A key protected by a passphrase is opened with that of COUNTERSIGN_KEY_PASSPHRASE.';

export function readPassphrase(context: CommandContext): string | undefined {
  return context.environment['COUNTERSIGN_KEY_PASSPHRASE'] || undefined;
}

/** Reads the private key of `--key`. @throws {AppError} `cli.unreadable_file`, `keys.*` */
export async function readSigningKey(context: CommandContext, file: string): Promise<ReadPrivateKey> {
  const bytes = await context.readInput(file, '--key', { maxBytes: maxKeyBytes });
  const { readPrivateKey } = await import('../services/vault/key-forms/key-reading');
  return readPrivateKey(bytes, readPassphrase(context));
}

/** Reads the public key of `--public-key`. @throws {AppError} `cli.unreadable_file`, `keys.*` */
export async function readVerifyingKey(context: CommandContext, file: string): Promise<ReadKey> {
  const bytes = await context.readInput(file, '--public-key', { maxBytes: maxKeyBytes });
  const { readPublicKey } = await import('../services/vault/key-forms/key-reading');
  return readPublicKey(bytes);
}

/** Bytes of a key file in whatever form, for the `key` commands. */
export function readKeyFile(context: CommandContext, file: string): Promise<Uint8Array> {
  return context.readInput(file, 'FILE', { maxBytes: maxKeyBytes });
}
