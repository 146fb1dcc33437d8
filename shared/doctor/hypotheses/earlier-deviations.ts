import type { Cause } from '../causes';
import { cutText } from '../report/show-text';
import { STAGES, type Deviation, type Tier } from '../search/draft';
import { wholeDeviation } from './whole-deviations';

/** So many of the latest earlier requests are also tried together with one other deviation, or with two. */
const MOST_USUAL = 40;
const MOST_COMMON = 3;

/** An earlier request, whose reference, amount or whole string may have been signed by mistake. */
export interface EarlierRequest {
  /** What a person knows it by: 'Remittance, 10:04:11'. */
  readonly title: string;
  readonly reference: string;
  readonly stringToSign: string | null;
}

/**
 * Lists what comes of signing an earlier request in place of this one: its reference, or its whole string.
 *
 * Of an earlier attempt with the same reference it is the amount that differs.
 * @param signed - the four signed values
 */
export function listEarlierDeviations(
  earlier: readonly EarlierRequest[],
  signed: readonly string[],
): Deviation[] {
  return earlier.flatMap((request, index) =>
    listOf(request, signed, index < MOST_COMMON ? 'common' : index < MOST_USUAL ? 'usual' : 'alone'),
  );
}

function listOf(
  { title, reference, stringToSign }: EarlierRequest,
  signed: readonly string[],
  tier: Tier,
): Deviation[] {
  const isSame = reference === signed[0];
  const other = `${cutText(reference)} (${title})`;
  const cause: Cause = {
    code: 'string.other_reference',
    phrase: `with the reference of another request, ${other}`,
    remedy: isSame
      ? 'sign the values of the request that is sent, not those of an earlier attempt'
      : 'sign the reference of the request that is sent',
    expected: signed[0]!,
    actual: reference,
  };
  const found = isSame ? [] : [replaceValue(0, reference, tier, cause)];
  if (stringToSign === null || stringToSign === signed.join('')) return found;
  const amount = isSame ? readAmount(stringToSign, signed) : null;
  if (amount !== null) {
    const phrase = `with the amount of an earlier attempt, ${cutText(amount)} (${title})`;
    found.push(replaceValue(1, amount, tier, { ...cause, phrase, expected: signed[1]!, actual: amount }));
  }
  const what = isSame ? 'attempt with the same reference' : 'request';
  const phrase = `over the string of an earlier ${what}, ${other}`;
  return [...found, wholeDeviation(stringToSign, tier, [{ ...cause, phrase }])];
}

function replaceValue(place: number, text: string, tier: Tier, cause: Cause): Deviation {
  return {
    stage: STAGES.value,
    slot: `value:${place}`,
    tier,
    apply: (draft) => void (draft.values[place] = text),
    explain: () => [cause],
  };
}

/** Cuts the amount out of a string whose other three values are the same. */
function readAmount(
  text: string,
  [reference = '', , country = '', service = '']: readonly string[],
): string | null {
  const tail = country + service;
  const end = text.length - tail.length;
  if (!text.startsWith(reference) || !text.endsWith(tail) || end <= reference.length) return null;
  return text.slice(reference.length, end);
}
