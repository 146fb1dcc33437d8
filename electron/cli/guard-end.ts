import { AppError } from '@shared/errors';
import type { ExitCode } from './command';

/**
 * Says so where the process comes to its end before its command does: nothing is left that would go on with it, and Node ends
 * with 0 then, as if all was well.
 *
 * @param report - says an error, and gives its exit code
 * @returns to be called when the command has come to its own end
 */
export function guardEnd(report: (error: AppError) => ExitCode): () => void {
  const tell = (): never =>
    process.exit(
      report(
        new AppError(
          'app.internal',
          'The command came to no end: what it waited for is gone. Look whether it did what it was to do, and try again.',
        ),
      ),
    );
  process.once('beforeExit', tell);
  return () => void process.off('beforeExit', tell);
}
