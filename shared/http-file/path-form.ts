import type { EnvironmentSetup } from '../contract/environment-setup';
import { operations } from '../payments/tables/operations';

/** Where requests go, and by which of the two path forms. */
export interface PathDestination {
  readonly baseUrl: string;
  readonly setup: Pick<EnvironmentSetup, 'pathForm'>;
}

/** Operations whose path the interface gives in two forms. @source parts 4.1 and 4.2 */
const pairs = Object.values(operations)
  .filter(({ paths }) => paths.length === 2)
  .map(({ paths: [plain = '', api = ''] }) => ({ plain, api }));

/**
 * Gives an address in the path form that its environment asks for; any other address as it is.
 *
 * Which of the two is authoritative the interface does not say: files need not be written for one of them.
 */
export function takePathForm(url: string, { baseUrl, setup: { pathForm } }: PathDestination): string {
  if (pathForm === 'as_written' || baseUrl === '' || !url.startsWith(baseUrl)) return url;
  const rest = url.slice(baseUrl.length);
  const path = rest.replace(/[?#].*/s, '');
  const pair = pairs.find((one) => one.plain === path || one.api === path);
  return pair === undefined ? url : baseUrl + pair[pathForm] + rest.slice(path.length);
}
