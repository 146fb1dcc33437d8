import { splitCredential } from '../secrets';
import { readMember, type BackendCall } from './evidence';

/**
 * Leaves out the tokens that the app fetched for itself, and what it asked with them: no doing of the user's backend.
 *
 * Both are masked; fetched and used, a token is masked to the same text.
 * @param consumerKey - the app's own; null: it asked for nothing
 */
export function dropOwnCalls(
  calls: readonly BackendCall[],
  consumerKey: string | null,
): readonly BackendCall[] {
  if (consumerKey === null) return calls;
  const isOwnFetch = ({ operation, body }: BackendCall): boolean =>
    operation === 'token' && readMember(body, 'consumer_key') === consumerKey;
  const own = new Set(calls.filter(isOwnFetch).map(({ answer }) => readMember(answer, 'access_token')));
  const hasOwnToken = ({ token }: BackendCall): boolean =>
    token !== null && own.has(splitCredential(token).credential);
  return calls.filter((call) => !isOwnFetch(call) && !hasOwnToken(call));
}

/** Finds the key that the app fetches tokens with by what it asked of balances: where its vault is sealed, nothing else tells. */
export function findOwnKey(calls: readonly BackendCall[], ownIds: ReadonlySet<string>): string | null {
  const asked = calls.filter(({ id, operation }) => operation === 'balances' && ownIds.has(id));
  const tokens = new Set<unknown>(
    asked.flatMap(({ token }) => (token === null ? [] : splitCredential(token).credential)),
  );
  const fetched = calls.findLast(
    ({ operation, answer }) => operation === 'token' && tokens.has(readMember(answer, 'access_token')),
  );
  const key = readMember(fetched?.body, 'consumer_key');
  return typeof key === 'string' ? key : null;
}
