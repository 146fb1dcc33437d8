import { AppError } from '@shared/errors';
import type { ReadKey, ReadPrivateKey } from '../services/vault/key-forms/key-reading';
import { isOneFile } from '../platform/files/files';
import type { CommandContext } from './command';
import { usageError } from './usage-error';

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
  return nameFile(file, () => sayVariable(() => readPrivateKey(bytes, readPassphrase(context))));
}

/**
 * Reads a public key. A private key is refused: who names one here has taken the wrong file, and shall know.
 *
 * @throws {AppError} `cli.unreadable_file`, `keys.*`
 */
export async function readVerifyingKey(
  context: Pick<CommandContext, 'readInput'>,
  file: string,
  flag = '--public-key',
): Promise<ReadKey> {
  const bytes = await context.readInput(file, flag, { maxBytes: maxKeyBytes });
  const { PUBLIC_HALF_TAKEN, readPublicKey } = await import('../services/vault/key-forms/key-reading');
  const key = await nameFile(file, () => readPublicKey(bytes));
  if (!key.repairs.includes(PUBLIC_HALF_TAKEN)) return key;
  throw new AppError(
    'keys.private_for_public',
    `${flag} takes a public key, and ${file === '-' ? 'standard input' : file} holds a private one. Keep it to yourself: countersign key public FILE writes its public half.`,
  );
}

/** Reads a key file in whatever form, for the `key` commands. @throws {AppError} `cli.unreadable_file`, `keys.*` */
export async function readKeyFile(
  context: CommandContext,
  file: string,
): Promise<{ bytes: Uint8Array; key: ReadKey }> {
  const bytes = await context.readInput(file, 'FILE', { maxBytes: maxKeyBytes });
  const { readKey } = await import('../services/vault/key-forms/key-reading');
  return {
    bytes,
    key: await nameFile(file, () => sayVariable(() => readKey(bytes, readPassphrase(context)))),
  };
}

/** Nobody can enter a passphrase here: it comes from the environment. */
async function sayVariable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'keys.passphrase_needed') throw error;
    throw new AppError(
      error.code,
      'This key is protected by a passphrase. Put the one it was saved with into COUNTERSIGN_KEY_PASSPHRASE, and try again.',
      { cause: error },
    );
  }
}

/**
 * Keeps a private key that its own public half would replace: nothing brings it back.
 *
 * @throws {AppError} `cli.usage`
 */
export function refuseToLose(key: ReadKey, file: string, out: string | undefined): void {
  if (key.kind === 'public' || file === '-' || out === undefined || !isOneFile(file, out)) return;
  throw usageError(
    `--out: ${out} holds the private key, which its public half would replace. Name another file.`,
  );
}

/** Several files may have been given: what is wrong with a key says in which it stands. */
async function nameFile<T>(file: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || file === '-') throw error;
    throw new AppError(error.code, `${file}: ${error.message}`, { details: error.details, cause: error });
  }
}
