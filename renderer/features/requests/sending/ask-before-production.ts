import type { Environment } from '@shared/contract/environments';
import { findProductionOf } from '@shared/http-file/find-production';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { useEnvironments } from '../../../session/environments';
import { useRequestsStore, type SendWord } from '../requests-store';
import { readPayment } from '@shared/payments/read-payment';

/** Gives the host of an address; the whole text where it has none. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/**
 * Asks before a request goes to a production host: each time where it moves money, else once a host.
 *
 * A word given for a payment holds for these bytes at this address, and for nothing that changed meanwhile.
 * @param how - with the allowance that the user has just given; empty where there is none
 * @returns true where it was asked
 */
export function askBeforeProduction(
  tabId: string,
  environment: Environment,
  request: Pick<PreparedRequest, 'operation' | 'method' | 'url' | 'headers' | 'body'>,
  { allowance: given, isUnsigned, isAgain, isFollowing }: SendWord,
): boolean {
  const others = useEnvironments.getState().environments.filter(({ id }) => id !== environment.id);
  const live = findProductionOf(request.url, [environment, ...others], environment);
  if (live === null) return false;
  const host = hostOf(request.url);
  const payment = readPayment(request);
  const { method, url, headers, body } = request;
  const subject = payment === null ? [host] : [method, url, headers, body];
  const allowance = JSON.stringify([live.id, ...subject]);
  if (given === allowance || useRequestsStore.getState().allowedHosts.has(allowance)) return false;
  useRequestsStore.setState({
    question: {
      kind: 'production',
      tabId,
      isUnsigned,
      ...(isAgain && { isAgain }),
      ...(isFollowing && { isFollowing }),
      environment: live.id,
      host,
      payment,
      allowance,
    },
  });
  return true;
}

/** Asks no more about requests to a production host that move no money, while the window is open. */
export function allowHost(allowance: string): void {
  useRequestsStore.setState(({ allowedHosts }) => ({ allowedHosts: new Set([...allowedHosts, allowance]) }));
}
