import { resolve } from 'node:path';
import { AppError } from '@shared/errors';
import {
  findDataDirectory,
  findUsualDataDirectory,
  prepareDataDirectory,
} from '../platform/files/data-directory';
import { readGiven } from '../platform/given';
import { createNodePorts } from '../platform/node-ports';
import type { Given } from '../platform/ports';
import { createServices, type Services } from '../services/create-services';
import { createOwnProduction } from '../services/own-production';
import { readVersion } from './read-version';
import { remark } from './remark';
import { findStats } from '../platform/files/files';
import { describeAbsence } from '../platform/files/read-faults';

/** Which folder a command works on. `none`: it keeps nothing. */
export type DataChoice = 'none' | { readonly data: string | undefined; readonly mustExist?: boolean };

/**
 * Opens the services for one command: the same that the app runs, made as far as they are asked for.
 *
 * @param given - what its options gave, besides the secrets of the environment variables
 * @throws {AppError} `cli.no_data`, `platform.unwritable`
 */
export function openServices(choice: DataChoice, given: Partial<Given> = {}): Services {
  const dataDirectory = choice === 'none' ? null : chooseDirectory(choice);
  const options = {
    dataDirectory,
    version: readVersion(),
    onNotice: remark,
    given: { ...readGiven(), ...given },
  };
  const listOwnProduction = createOwnProduction(options);
  return createServices(createNodePorts({ ...options, host: 'cli', listOwnProduction }));
}

/** Runs what a command does, and closes the services whatever becomes of it. */
export async function withServices<T>(
  services: Services,
  run: (services: Services) => Promise<T>,
): Promise<T> {
  try {
    return await run(services);
  } finally {
    await services.close();
  }
}

function chooseDirectory({ data, mustExist = false }: Exclude<DataChoice, 'none'>): string {
  const directory = resolve(data ?? findUsualDataDirectory());
  if (!mustExist) return prepareDataDirectory(directory);
  if (findStats(directory)?.isDirectory()) return findDataDirectory(directory);
  throw new AppError(
    'cli.no_data',
    `${describeAbsence(directory, 'folder')}. Name a data directory that is there.`,
  );
}
