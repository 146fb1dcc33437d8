import type { HashName } from '../../signing/hash-algorithms';
import type { HashFunction } from '../decode/read-padding';
import type { DoctorQuestion } from '../question';
import type { Deviation } from '../search/draft';
import type { Hypotheses } from '../search/search';
import type { Subject } from '../subject';
import { listDigestDeviations } from './digest-deviations';
import { listEarlierDeviations } from './earlier-deviations';
import { listKnownDeviations, type HideKnown } from './known-deviations';
import { listLayoutDeviations } from './layout-deviations';
import { listPrintedDeviations } from './printed-deviations';
import { listRequestDeviations } from './request-deviations';
import {
  listExtraDeviations,
  listMixedSeparatorDeviations,
  listOrderDeviations,
  listSeparatorDeviations,
  listSubsetDeviations,
} from './selection-deviations';
import { listTextDeviations } from './text-deviations';
import { listTimeDeviations } from './time-deviations';
import { listValueDeviations } from './value-deviations';
import {
  listBodyDeviations,
  listClaimedDeviations,
  listNothingDeviations,
  listPartDeviations,
} from './whole-deviations';

/** Longer strings are not tried in the thousands of forms that hardly anyone signs. */
const MOST_CHARACTERS = 8192;

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text);
}

/**
 * Lists everything that is tried, the likeliest first: where two give the same string, the first one is named.
 *
 * @param outer - hash that the signature itself uses
 * @param hide - hides secrets in what is shown
 */
export function listDeviations(
  question: DoctorQuestion,
  { values, body }: Subject,
  outer: HashName,
  hash: HashFunction,
  hide?: HideKnown,
): Hypotheses {
  const byValue = listValueDeviations(values);
  const isForm = ({ explain }: Deviation): boolean => /^(?:number|country)\./.test(explain()[0]?.code ?? '');
  const signed = values.slice(0, 4).map(({ text }) => text);
  const claimed = question.claimedString;
  return {
    likely: [
      ...listSeparatorDeviations(),
      ...byValue.filter(isForm),
      ...listTextDeviations(
        signed.join(''),
        isAscii(body) && isAscii(signed.join('')) && isAscii(claimed ?? ''),
      ),
      ...listOrderDeviations(),
      ...listSubsetDeviations(),
      ...byValue.filter((deviation) => !isForm(deviation)),
      ...listExtraDeviations(values),
      ...listLayoutDeviations(values),
      ...listBodyDeviations(body),
      ...listNothingDeviations(),
      ...listPartDeviations(body, true),
      ...listDigestDeviations(outer, hash),
      ...listKnownDeviations(question.known ?? []),
      ...listEarlierDeviations(question.earlier, signed),
      ...(claimed === null ? [] : listClaimedDeviations(claimed, signed, hide)),
    ],
    unlikely: () => [
      ...listPartDeviations(body, false),
      ...listRequestDeviations(body, hash),
      ...listPrintedDeviations(values),
    ],
    // Hashing thousands of long strings takes half a minute.
    alone: () =>
      signed.join('').length > MOST_CHARACTERS
        ? []
        : [...listMixedSeparatorDeviations(), ...listTimeDeviations(values)],
  };
}
