import type { Handlers } from '@shared/contract/contract';
import type { ImportsDeps } from './run-import';

export interface ImportsService {
  handlers: Pick<Handlers, 'imports.run'>;
}

/** Brings files of other tools into collections. What reads them is loaded for the first one: a third of a megabyte. */
export function createImportsService(deps: ImportsDeps): ImportsService {
  return {
    handlers: { 'imports.run': async (input) => (await import('./run-import')).runImport(deps, input) },
  };
}
