import type { ClientError } from '../transport/client-error';
import { routeHref } from './routes';

/** The place where an error of any view is mended, with what its link says; null: none of its own. */
export function findErrorPlace({
  code,
  details,
}: {
  code: string;
  details?: ClientError['details'];
}): { href: string; label: string } | null {
  const environment = details?.['environment'];
  if (code === 'environments.address_changed' && typeof environment === 'string') {
    return { href: routeHref('environments', `bind/${environment}`), label: 'Look at the change' };
  }
  if (code === 'environments.no_secret')
    return { href: routeHref('environments'), label: 'Open Environments' };
  if (code === 'tokens.no_address' || (code === 'sending.foreign_host' && details?.['home'] === null))
    return { href: routeHref('environments'), label: 'Open Environments' };
  if (code === 'vault.locked') return { href: routeHref('keys'), label: 'Unlock it' };
  return null;
}
