import type { Journey } from '../contract/journey';
import type { Exchange } from '../contract/sending';
import { remarkJourney } from './remark-journey';
import type { SharedJourney } from './write-journey';

/** So many exchanges of a payment are given on. */
const MOST_EXCHANGES = 30;

/**
 * Puts together what is given to others of a payment.
 *
 * @param readExchange - one of the history; one that cannot be read any more is left out: the timeline names it all the same
 * @param now - epoch milliseconds: a gap grows while nothing comes
 */
export async function gatherSharedJourney(
  journey: Journey,
  readExchange: (id: string) => Promise<Exchange>,
  now: number,
): Promise<SharedJourney> {
  const ids = [...new Set(journey.events.map(({ exchangeId }) => exchangeId).filter((id) => id !== null))];
  const read = ids.slice(0, MOST_EXCHANGES).map((id) => readExchange(id).catch(() => null));
  const exchanges = (await Promise.all(read)).filter((one): one is Exchange => one !== null);
  return { journey, exchanges, remarks: remarkJourney(journey, now) };
}
