import type { Environment } from '../contract/environments';
import { readPlace } from './read-place';

/** What is known of an environment wherever it is kept, its collection open or not. */
export type KnownEnvironment = Pick<Environment, 'id' | 'name' | 'label' | 'kind' | 'baseUrl'>;

/**
 * Finds the production environment that an address belongs to.
 *
 * The address counts before the name: what `--base-url`, a file, or an environment of somebody else's collection leads
 * to a production host goes to production, too, however its host is written, and what one of production leads to another
 * goes to that. Names are not looked up: another one of the same machine is another host.
 */
export function findProductionOf<E extends Pick<Environment, 'id' | 'kind' | 'baseUrl'>>(
  url: string,
  all: readonly E[],
  chosen?: Pick<Environment, 'id'>,
): E | null {
  const live = all.filter(({ kind }) => kind === 'production');
  if (live.length === 0) return null;
  const place = readPlace(url);
  const there = live.filter(({ baseUrl }) => place !== null && readPlace(baseUrl) === place);
  const isChosen = ({ id }: E): boolean => id === chosen?.id;
  return there.find(isChosen) ?? there[0] ?? live.find(isChosen) ?? null;
}

/** Names the host that an address leads to; of one that is known only later, that of its environment. */
export function nameHost(url: string, { baseUrl }: Pick<KnownEnvironment, 'baseUrl'>): string {
  const known = [url, baseUrl].find((one) => URL.canParse(one));
  return known === undefined ? baseUrl : new URL(known).host;
}
