import type { HashName } from '../../signing/hash-algorithms';
import type { HashFunction } from '../decode/read-padding';
import type { DoctorQuestion } from '../question';
import type { Deviation } from '../search/draft';
import type { Subject } from '../subject';
import { listDigestDeviations } from './digest-deviations';
import { listEarlierDeviations } from './earlier-deviations';
import { listLayoutDeviations } from './layout-deviations';
import {
  listExtraDeviations,
  listOrderDeviations,
  listSeparatorDeviations,
  listSubsetDeviations,
} from './selection-deviations';
import { listTextDeviations } from './text-deviations';
import { listValueDeviations } from './value-deviations';
import { listBodyDeviations, listClaimedDeviations } from './whole-deviations';

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text);
}

/** Lists everything that is tried, the likeliest first: where two give the same string, the first one is named. */
export function listDeviations(
  question: DoctorQuestion,
  { values, body }: Subject,
  outer: HashName,
  hash: HashFunction,
): Deviation[] {
  const byValue = listValueDeviations(values);
  const isForm = ({ explain }: Deviation): boolean => /^(?:number|country)\./.test(explain()[0]?.code ?? '');
  const signed = values.slice(0, 4).map(({ text }) => text);
  return [
    ...listSeparatorDeviations(),
    ...byValue.filter(isForm),
    ...listTextDeviations(isAscii(body) && isAscii(signed.join('')) && isAscii(question.claimedString ?? '')),
    ...listOrderDeviations(),
    ...listSubsetDeviations(),
    ...byValue.filter((deviation) => !isForm(deviation)),
    ...listExtraDeviations(values),
    ...listLayoutDeviations(values),
    ...listBodyDeviations(body),
    ...listDigestDeviations(outer, hash),
    ...listEarlierDeviations(question.earlier, signed),
    ...(question.claimedString === null ? [] : listClaimedDeviations(question.claimedString, signed)),
  ];
}
