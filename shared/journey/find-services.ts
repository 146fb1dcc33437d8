/**
 * Says which services a payment can be known to: a reference is one payment only within one service, and what another says of it is
 * of a payment of its own.
 *
 * @param sentTo - where payments of the reference went; null: an address that is not known
 */
export function findServices(sentTo: readonly (string | null)[]): (service: string | null) => boolean {
  const known = new Set(sentTo);
  const isKnown = known.size > 0 && !known.has(null);
  return (service) => service === null || !isKnown || known.has(service);
}
