import type { ClientError } from '../transport/client-error';
import { routeHref } from './routes';

/** The place where an error of any view is mended, with what its link says; null: none of its own. */
export function findErrorPlace({ code, details }: ClientError): { href: string; label: string } | null {
  const { environment } = details;
  if (code === 'environments.address_changed' && typeof environment === 'string') {
    return { href: routeHref('settings', `bind/${environment}`), label: 'Look at the change' };
  }
  return null;
}
