import type { DoctorResult } from '../../contract/doctor';
import { HASH_ALGORITHMS } from '../../signing/hash-algorithms';
import type { Cause } from '../causes';
import type { DecodedSignature } from '../decode/decode-signature';
import type { KeyFinding } from '../decode/key-search';
import type { Subject } from '../subject';
import { describeCauses, listChecks, toContractCauses, type ReportFacts } from './report';

/** What an answer is written from; what is left out is not known. */
export interface AnswerFacts extends Partial<ReportFacts> {
  readonly decoded: DecodedSignature;
  readonly verdict: DoctorResult['verdict'];
  readonly explanation: string;
  readonly signedString?: string | null;
  readonly searched?: number;
  readonly planned?: number | null;
}

/** Fills the fields that every answer has. */
export function writeAnswer(subject: Subject, facts: AnswerFacts): DoctorResult {
  const { decoded, verdict, explanation, signedString = null, searched = 0 } = facts;
  const { causes = decoded.causes, finding = null, isRightKey = false, isStringKnown = false } = facts;
  const encoding = facts.encoding ?? { finding: decoded.finding, isGood: decoded.causes.length === 0 };
  const padding = finding?.padding;
  return {
    valid: verdict === 'valid',
    verdict,
    explanation,
    causes: toContractCauses(causes),
    signedString,
    expectedString: subject.expected,
    checks: listChecks({
      encoding,
      finding,
      isRightKey,
      causes,
      isStringKnown,
      isWhole: facts.isWhole ?? false,
      claim: facts.claim ?? null,
    }),
    digestHex: padding === undefined || padding.kind === 'bare' ? null : padding.digestHex,
    searched,
    planned: facts.planned ?? null,
    elapsedMs: 0,
  };
}

/**
 * Says that nothing that was tried gives what the signature holds.
 *
 * @param planned - how many there were to try, where the search was ended before; null: all were tried
 */
export function explainNothing(
  causes: readonly Cause[],
  { padding }: KeyFinding,
  searched: number,
  planned: number | null,
): string {
  const digest =
    padding.kind === 'bare'
      ? 'it holds bytes that are no known string'
      : `its ${HASH_ALGORITHMS[padding.hash].label} digest is ${padding.digestHex}`;
  const head = causes.length === 0 ? 'Made with this key' : describeCauses(causes);
  const ended = planned === null ? '' : explainEnded(searched, planned);
  return `${head}, but ${digest}, and none of ${show(searched)} strings that were tried gives it: compare the exact bytes that the code signs with the expected string.${ended}`;
}

/** Says that a search was ended before its end, in a sentence that follows another. */
export function explainEnded(searched: number, planned: number): string {
  return ` The search was not finished: it looked at ${show(searched)} of ${show(planned)} strings, and one of the others may be the one that was signed.`;
}

const show = (count: number): string => count.toLocaleString('en');
