import { writeFile } from 'node:fs/promises';
import { AppError } from '@shared/errors';

/**
 * Writes a new file; one that exists is kept unless `isForced`.
 *
 * @param mode - permissions: 0600 for private keys
 * @throws {AppError} `cli.file_exists`, `cli.unwritable_file`
 */
export async function writeOutput(
  file: string,
  data: string | Uint8Array,
  options: { flag: string; mode: number; isForced: boolean },
): Promise<void> {
  try {
    if (!options.isForced) {
      await writeFile(file, data, { mode: options.mode, flag: 'wx' });
      return;
    }
    const { writeFileDurably } = await import('../platform/files/files');
    writeFileDurably(file, data, { mode: options.mode });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') {
      throw new AppError(
        'cli.file_exists',
        `${options.flag}: ${file} exists. Add --force to replace it, or name another file.`,
      );
    }
    throw new AppError(
      'cli.unwritable_file',
      `${options.flag}: cannot write ${file}${code === '' ? '' : ` (${code})`}. Choose another place.`,
      {
        cause: error,
      },
    );
  }
}
