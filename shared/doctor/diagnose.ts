import type { DoctorResult } from '../contract/doctor';
import { sortCauses, type Cause } from './causes';
import { decodeSignature, type DecodedSignature } from './decode/decode-signature';
import {
  explainOtherKey,
  explainReversed,
  explainUnknownKey,
  findKeys,
  isCertain,
  sizeOf,
  type KeyFinding,
} from './decode/key-search';
import type { HashFunction, Padding } from './decode/read-padding';
import { chooseMatcher, explainPadding, readPayload } from './decode/read-payload';
import { refuseEarly } from './decode/refuse-early';
import { createKnownHiding } from './hypotheses/known-deviations';
import { listDeviations } from './hypotheses/list-deviations';
import type { DoctorPorts, DoctorQuestion } from './question';
import { explainCauses, type ReportFacts } from './report/report';
import { explainEnded, explainNothing, writeAnswer } from './report/write-answer';
import { startDraft } from './search/draft';
import type { Matcher } from './search/matcher';
import { searchString, type Found, type SearchEnd, type SearchProgress } from './search/search';
import { readSubject, type Subject } from './subject';

/**
 * Finds out what is wrong with a signature.
 *
 * A generator: it yields while it searches, so that a caller can show progress, let others run, or stop.
 * `valid` is answered only for what `verify` accepts: PKCS#1 v1.5 with SHA-256 over the expected string, in
 * standard Base64 that nothing had to be mended in. `explained` names at least one cause.
 * @throws {AppError} `signing.not_json`, `signing.field_missing`, `signing.field_wrong_type`
 * @source payments-service-interface, part 5.5
 */
export function* diagnoseSignature(
  question: DoctorQuestion,
  ports: DoctorPorts,
): Generator<SearchProgress, DoctorResult> {
  const startedMs = ports.monotonicMs();
  const isLate = (): boolean => ports.monotonicMs() - startedMs > (question.mostMs ?? MOST_MS);
  const subject = readSubject(question.body);
  const decoded = decodeSignature(question.signature, sizeOf(question.key));
  const result =
    refuseEarly(question, subject, decoded) ??
    (yield* searchWithKeys({ question, subject, decoded, hash: ports.hash, isLate }));
  return { ...result, elapsedMs: ports.monotonicMs() - startedMs };
}

/** Whoever waits longer has gone; what was not tried by then is said. */
const MOST_MS = 10_000;

/** What every step of a diagnosis needs. */
interface Case {
  readonly question: DoctorQuestion;
  readonly subject: Subject;
  readonly decoded: DecodedSignature;
  readonly hash: HashFunction;
  isLate(): boolean;
}

/** Searches with each key and padding that the signature may have; only a string that fits proves a weak one. */
function* searchWithKeys(asked: Case): Generator<SearchProgress, DoctorResult> {
  const { question, decoded, hash } = asked;
  const findings = findKeys(decoded.bytes!, [question.key, ...question.otherKeys], hash);
  let ended: { searched: number; planned: number } | null = null;
  for (const finding of findings) {
    const { result, planned } = yield* searchWithKey(asked, finding);
    if (isCertain(finding) || result.signedString !== null) return result;
    if (planned !== null) ended = { searched: result.searched, planned };
  }
  const mayBeOurs = findings.some(({ key }) => key === question.key);
  const answer = mayBeOurs ? answerUncertain(asked) : answerOtherKey(asked);
  if (ended === null) return answer;
  const explanation = answer.explanation + explainEnded(ended.searched, ended.planned);
  return { ...answer, ...ended, explanation };
}

/** What was encrypted tells nothing of its key. */
const NOT_SIGNED = ' What was encrypted with the public key instead of signed looks the same.';

function answerOtherKey({ question, subject, decoded }: Case): DoctorResult {
  const causes = [...decoded.causes, explainUnknownKey(question.key, decoded.bytes!.length)];
  const tried = question.otherKeys.length;
  const others = tried === 0 ? '' : ` None of the ${tried} other keys of the vault made it either.`;
  const isWhole = decoded.bytes!.length === sizeOf(question.key);
  const explanation = `${explainCauses(causes)}${others}${isWhole ? NOT_SIGNED : ''}`;
  return writeAnswer(subject, { decoded, causes, verdict: 'other_key', explanation });
}

function answerUncertain({ subject, decoded }: Case): DoctorResult {
  return writeAnswer(subject, {
    decoded,
    verdict: 'unexplained',
    explanation:
      'Made with another key, or altered afterwards, or (one in ten thousand looks so by chance) made with this key and PSS padding over a string that is not known: check which private key the code loads, and use PKCS#1 v1.5 padding.',
  });
}

/** @returns planned: as of a search; null where a string fits, however it was found */
function* searchWithKey(
  asked: Case,
  finding: KeyFinding,
): Generator<SearchProgress, { result: DoctorResult; planned: number | null }> {
  const { question, subject, decoded, hash, isLate } = asked;
  const { padding } = finding;
  const isRightKey = finding.key === question.key;
  const { matcher, outer } = chooseMatcher(padding, hash);
  const hide = createKnownHiding([...(question.known ?? []), ...(question.kept ?? [])], subject.expected);
  const hypotheses = listDeviations(question, subject, outer, hash, hide);
  const end = yield* searchString(subject.values, hypotheses, matcher, isLate, question.effort);
  const found = end.found ?? readPayload(padding, subject, hide);
  const planned = found === null ? end.planned : null;
  const causes = sortCauses([
    ...decoded.causes,
    ...(finding.isReversed ? [explainReversed()] : []),
    ...(isRightKey ? [] : [explainOtherKey(question.key, finding.key)]),
    ...explainPadding(padding),
    ...(matcher.matched?.causes ?? []),
    ...(found?.deviations.flatMap(({ explain }) => explain()) ?? []),
  ]);
  const result = writeAnswer(subject, {
    decoded,
    finding,
    isRightKey,
    causes,
    isStringKnown: found !== null,
    isWhole: found?.deviations.some(({ slot }) => slot === 'whole' || slot === 'payload') ?? false,
    claim: checkClaim(question, subject, found, matcher),
    searched: matcher.searched,
    planned,
    signedString: found === null ? null : hide(found.text),
    ...judge(isRightKey, causes, finding, { found, planned }, matcher),
  });
  return { result, planned };
}

/** Chooses the verdict. What nothing had to be mended in is valid; what has no cause is not explained. */
function judge(
  isRightKey: boolean,
  causes: readonly Cause[],
  finding: KeyFinding,
  { found, planned }: SearchEnd,
  { searched }: Matcher,
): Pick<DoctorResult, 'verdict' | 'explanation'> {
  if (found === null) {
    const explanation = explainNothing(causes, finding, searched, planned);
    return { verdict: isRightKey ? 'unexplained' : 'other_key', explanation };
  }
  if (causes.length === 0 && isStrictlyPadded(finding.padding)) {
    const explanation = 'The signature is valid: made with this key, over exactly this string.';
    return { verdict: 'valid', explanation };
  }
  const isNamed = causes.some(({ code }) => code !== null);
  const verdict = isRightKey ? (isNamed ? 'explained' : 'unexplained') : 'other_key';
  return { verdict, explanation: explainCauses(causes) };
}

function isStrictlyPadded(padding: Padding): boolean {
  return padding.kind === 'digest' && padding.fault === null && padding.hash === 'sha256';
}

function checkClaim(
  { claimedString }: DoctorQuestion,
  { expected, values }: Subject,
  found: Found | null,
  matcher: Matcher,
): ReportFacts['claim'] {
  if (claimedString === null) return null;
  const draft = { ...startDraft(values), whole: claimedString };
  const isSigned = found?.text === claimedString || matcher.matches(draft);
  if (isSigned && claimedString === expected)
    return { finding: 'what was signed, and what is expected', isGood: true };
  if (isSigned) return { finding: 'what was signed, but not what is expected', isGood: false };
  if (claimedString === expected)
    return { finding: 'as expected, but it is not what was signed', isGood: false };
  return { finding: 'neither what was signed nor what is expected', isGood: false };
}
