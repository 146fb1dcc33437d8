import { parse, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import { readRegularFile, type ReadFault } from '../../platform/files/regular-file';
import { readPublicKey } from '../admission/read-public-key';
import { parseSnapshot } from './parse-snapshot';
import type { SandboxSnapshot } from './snapshot';

const MOST_BYTES = 128 * 1024 * 1024;

const faults: Readonly<Record<ReadFault, string>> = {
  missing: 'There is no such file. Name one that `sandbox snapshot save` wrote',
  outside: 'It is no file. Name one that `sandbox snapshot save` wrote',
  not_regular: 'It is no file but a folder, a pipe or a device. Name one that `sandbox snapshot save` wrote',
  too_large: 'It is larger than 128 MiB: such a state is copied with its folder',
  forbidden: 'You may not read it. Look at its permissions',
  crowded: 'Too many files are open. Close some, or raise the limit (ulimit -n), and try again',
  unreadable: 'The system failed to read it. Try again, and look at its disk',
};

/** Reads a snapshot from a file, whoever wrote it. @throws {AppError} `sandbox.bad_snapshot`, `keys.*` */
export function readSnapshotFile(file: string): SandboxSnapshot {
  const path = resolve(file);
  // Whoever names it may name a link.
  const { bytes, fault } = readRegularFile(path, { root: parse(path).root, maxBytes: MOST_BYTES });
  if (fault !== null) {
    throw new AppError(
      'sandbox.bad_snapshot',
      `The snapshot ${path} is not taken, and nothing was changed. ${faults[fault]}.`,
    );
  }
  const snapshot = parseSnapshot(bytes.toString('utf8'));
  for (const { pem } of snapshot.tables.public_keys) readPublicKey(String(pem));
  return snapshot;
}
