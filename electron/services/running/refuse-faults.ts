import { AppError } from '@shared/errors';
import type { RunFault } from '@shared/run/read-directives';

/** Says in one line what is wrong in the files; nothing was sent. @throws {AppError} `running.bad_file` */
export function refuseFaults(faults: readonly RunFault[]): void {
  const [first, ...more] = faults;
  if (first === undefined) return;
  const places = more.slice(0, 5).map(({ file, line }) => `${file}:${line}`);
  const others = more.length === 0 ? '' : ` (and ${more.length} more: ${places.join(', ')})`;
  throw new AppError(
    'running.bad_file',
    `${first.file}:${first.line}: ${first.message} Nothing was sent.${others}`,
  );
}
