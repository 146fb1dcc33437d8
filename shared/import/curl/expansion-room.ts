import { AppError } from '../../errors';
import { maxImportBytes } from '../max-import-bytes';

/** What a word or a pair takes beside its text, in characters. */
export const ENTRY_CHARACTERS = 16;

/**
 * What the variables of one script may stand for in all, wherever they are filled in: forty lines that each put a text behind
 * itself stand for more than any memory holds.
 */
export class ExpansionRoom {
  private left = maxImportBytes;

  /** @param characters - about to be filled in, and {@link ENTRY_CHARACTERS} for each word or pair @throws {AppError} `import.too_large` */
  spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0)
      throw new AppError(
        'import.too_large',
        `What its variables stand for is more than ${maxImportBytes / 1024 / 1024} MiB. Nothing was imported: take out the lines that no request needs.`,
      );
  }
}
