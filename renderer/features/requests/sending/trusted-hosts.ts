import { toClientError } from '../../../transport/client-error';
import { useRequestsStore } from '../requests-store';

/**
 * Asks whether a host may have token or signature, where the back end kept them back. An environment without an address
 * has neither to give: no answer would help.
 */
export function askAboutHost(tabId: string, environment: string, error: unknown): void {
  const { code, details } = toClientError(error);
  if (code !== 'sending.foreign_host') return;
  const { host, target, home } = details as { host: string; target: string; home: string | null };
  if (home === null) return;
  useRequestsStore.setState({ question: { kind: 'host', tabId, environment, host, target, home } });
}

/** Lets a host have token and signature of an environment, while this window is open. */
export function addTrustedHost(environment: string, host: string): void {
  useRequestsStore.setState(({ trustedHosts }) => ({
    trustedHosts: [...trustedHosts, { environment, host }],
  }));
}

/** Hosts beside its own that may have what belongs to an environment. */
export function listTrustedHosts(environment: string): string[] {
  return useRequestsStore
    .getState()
    .trustedHosts.filter((one) => one.environment === environment)
    .map(({ host }) => host);
}
