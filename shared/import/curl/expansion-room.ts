import { AppError } from '../../errors';

const MOST_MIB = 8;

/**
 * What the variables of one script may stand for in all, wherever they are filled in: forty lines that each put a text behind
 * itself stand for more than any memory holds.
 */
export class ExpansionRoom {
  private left = MOST_MIB * 1024 * 1024;

  /** @param characters - about to be filled in, and one for each word @throws {AppError} `import.too_large` */
  spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0)
      throw new AppError(
        'import.too_large',
        `What its variables stand for is more than ${MOST_MIB} MiB. Nothing was imported: take out the lines that no request needs.`,
      );
  }
}
