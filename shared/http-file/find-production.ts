import type { Environment } from '../contract/environments';
import { readPlace } from './read-place';

/**
 * Finds the production environment that an address belongs to.
 *
 * The address counts as well as the name: what `--base-url`, a file, or an environment of somebody else's collection leads
 * to a production host goes to production, too, however its host is written. Names are not looked up: another one of the
 * same machine is another host.
 */
export function findProductionOf(
  url: string,
  all: readonly Environment[],
  chosen?: Environment,
): Environment | null {
  const place = readPlace(url);
  const live = all.filter(({ kind }) => kind === 'production');
  return (
    live.find(({ id }) => id === chosen?.id) ??
    live.find(({ baseUrl }) => place !== null && readPlace(baseUrl) === place) ??
    null
  );
}
