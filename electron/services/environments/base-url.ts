import { localEnvironmentId } from '@shared/contract/environment-id';
import { maskSecrets } from '@shared/mask-secrets';
import { isLoopbackName, parseWebUrl } from '@shared/payments/text-formats';
import { errorsOf } from '../errors-of';

const EnvironmentsError = errorsOf<'environments'>();
const SendingError = errorsOf<'sending' | 'tokens'>();

/**
 * Reads a base address as people type it: no slash at the end, no query, no user name.
 *
 * @throws {AppError} `environments.bad_url` saying what is wrong with it
 */
export function readBaseUrl(text: string): string {
  const refuse = (why: string): never => {
    throw new EnvironmentsError(
      'environments.bad_url',
      `The base address ${why}. Write it like https://api.example.com.`,
      {
        // Of what is refused for its password, or its query, neither is repeated.
        details: { baseUrl: maskSecrets(text).slice(0, 200) },
      },
    );
  };
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return refuse('is not an absolute address');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '') return refuse('must not hold a user name or password');
  if (url.search !== '' || url.hash !== '') return refuse('must end before ? and #');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Tells whether what is sent to this address can be read on the way. */
export function isUnencrypted(baseUrl: string): boolean {
  const url = parseWebUrl(baseUrl);
  return url?.protocol === 'http:' && !isLoopbackName(url.hostname);
}

/**
 * Makes sure that the embedded sandbox can be asked: while it does not run, its environment has no address.
 *
 * @throws {AppError} `sending.unreachable`
 */
export function requireSandbox({ id, baseUrl }: { id: string; baseUrl: string }): void {
  if (id !== localEnvironmentId || baseUrl !== '') return;
  throw new SendingError('sending.unreachable', 'The local sandbox does not run. Start it, and try again.', {
    retryable: true,
  });
}
