import type { DoctorResult } from '../contract/doctor';
import { HASH_ALGORITHMS, type HashName } from '../signing/hash-algorithms';
import { CAUSE_CODES, type Cause } from './causes';
import { decodeSignature, type DecodedSignature } from './decode/decode-signature';
import { listDigestDeviations } from './hypotheses/digest-deviations';
import { startDraft, type Deviation } from './search/draft';
import {
  explainOtherKey,
  explainUnknownKey,
  findKey,
  sizeOf,
  type DoctorKey,
  type KeyFinding,
} from './decode/key-search';
import { listLayoutDeviations } from './hypotheses/layout-deviations';
import type { Matcher } from './search/matcher';
import type { HashFunction, Padding } from './decode/read-padding';
import { chooseMatcher, explainPadding, readPayload } from './decode/read-payload';
import { explainCauses, listChecks, toContractCause, type ReportFacts } from './report/report';
import { searchString, type Found, type SearchProgress } from './search/search';
import {
  listExtraDeviations,
  listOrderDeviations,
  listSeparatorDeviations,
  listSubsetDeviations,
} from './hypotheses/selection-deviations';
import { readSubject, type Subject } from './subject';
import { listTextDeviations } from './hypotheses/text-deviations';
import { listValueDeviations } from './hypotheses/value-deviations';
import {
  listBodyDeviations,
  listClaimedDeviations,
  listEarlierDeviations,
  type EarlierRequest,
} from './hypotheses/whole-deviations';

/** What the doctor needs from outside: hashes and a clock. The public key comes with its own operation. */
export interface DoctorPorts {
  readonly hash: HashFunction;
  /** Milliseconds that never go back. */
  readonly monotonicMs: () => number;
}

/** What the doctor is asked. */
export interface DoctorQuestion {
  readonly body: string;
  /** As pasted. */
  readonly signature: string;
  readonly key: DoctorKey;
  /** The other keys of the vault. */
  readonly otherKeys: readonly DoctorKey[];
  /** What the other side says it signed; null: nothing. */
  readonly claimedString: string | null;
  /** Latest first. */
  readonly earlier: readonly EarlierRequest[];
}

/**
 * Finds out what is wrong with a signature.
 *
 * A generator: it yields while it searches, so that a caller can show progress, let others run, or stop.
 * `valid` is answered only for what `verify` accepts: PKCS#1 v1.5 with SHA-256 over the expected string, in
 * standard Base64 that nothing had to be mended in.
 * @throws {AppError} `signing.not_json`, `signing.field_missing`, `signing.field_wrong_type`
 * @source payments-service-interface, part 5.5
 */
export function* diagnoseSignature(
  question: DoctorQuestion,
  { hash, monotonicMs }: DoctorPorts,
): Generator<SearchProgress, DoctorResult> {
  const startedMs = monotonicMs();
  const subject = readSubject(question.body);
  const decoded = decodeSignature(question.signature, sizeOf(question.key));
  const early = refuseEarly(question, subject, decoded);
  if (early !== null) return { ...early, elapsedMs: monotonicMs() - startedMs };
  const finding = findKey(decoded.bytes!, [question.key, ...question.otherKeys], hash);
  const result =
    finding === null
      ? answerOtherKey(question, subject, decoded)
      : yield* searchWithKey(question, subject, decoded, finding, hash);
  return { ...result, elapsedMs: monotonicMs() - startedMs };
}

/** Answers what needs no key: nothing readable, or a signature of an impossible length. */
function refuseEarly(
  question: DoctorQuestion,
  subject: Subject,
  decoded: DecodedSignature,
): DoctorResult | null {
  const size = sizeOf(question.key);
  const length = decoded.bytes?.length ?? 0;
  const isKnownSize = [question.key, ...question.otherKeys].some((key) => sizeOf(key) === length);
  if (isKnownSize || [256, 384, 512, 1024].includes(length)) return null;
  const isCut = decoded.bytes !== null && length < size && length >= 64;
  const causes = isCut ? [...decoded.causes] : [];
  if (isCut && !causes.some(({ code }) => code === 'encoding.truncated'))
    causes.push(truncatedCause(length, size));
  const isGood = false;
  const facts = {
    encoding: { finding: decoded.finding, isGood },
    finding: null,
    isRightKey: false,
    causes,
    isStringKnown: false,
    claim: null,
  };
  return {
    ...answer(subject, causes, facts),
    verdict: isCut ? 'explained' : 'not_a_signature',
    explanation: isCut
      ? `The signature has ${length} of ${size} bytes, a part of it is lost: send the whole of it.`
      : `This is not a signature made with an RSA key of ${question.key.bits} bits: it should be ${size} bytes in standard Base64, it is ${decoded.finding}.`,
  };
}

function truncatedCause(length: number, size: number): Cause {
  return {
    code: 'encoding.truncated',
    phrase: 'and then cut short',
    remedy: 'send the whole signature',
    expected: `${size} bytes`,
    actual: `${length} bytes`,
  };
}

function answerOtherKey(question: DoctorQuestion, subject: Subject, decoded: DecodedSignature): DoctorResult {
  const causes = [...decoded.causes, explainUnknownKey(question.key, decoded.bytes!.length)];
  const facts = {
    encoding: encodingOf(decoded),
    finding: null,
    isRightKey: false,
    causes,
    isStringKnown: false,
    claim: null,
  };
  const tried = question.otherKeys.length;
  const others = tried === 0 ? '' : ` None of the ${tried} other keys of the vault made it either.`;
  return {
    ...answer(subject, causes, facts),
    verdict: 'other_key',
    explanation: `${explainCauses(causes)}${others}`,
  };
}

function* searchWithKey(
  question: DoctorQuestion,
  subject: Subject,
  decoded: DecodedSignature,
  finding: KeyFinding,
  hash: HashFunction,
): Generator<SearchProgress, DoctorResult> {
  const isRightKey = finding.key === question.key;
  const known = [
    ...decoded.causes,
    ...(isRightKey ? [] : [explainOtherKey(question.key, finding.key)]),
    ...explainPadding(finding.padding),
  ];
  const { matcher, causes: payloadCauses, outer } = chooseMatcher(finding.padding, hash);
  const found =
    (yield* searchString(subject.values, listDeviations(question, subject, outer, hash), matcher)) ??
    readPayload(finding.padding, subject);
  const causes = sortCauses([
    ...known,
    ...payloadCauses,
    ...(found?.deviations.flatMap(({ explain }) => explain()) ?? []),
  ]);
  const facts: ReportFacts = {
    encoding: encodingOf(decoded),
    finding,
    isRightKey,
    causes,
    isStringKnown: found !== null,
    claim: checkClaim(question, subject, found, matcher),
  };
  const digest = finding.padding.kind === 'bare' ? null : finding.padding.digestHex;
  const base = { ...answer(subject, causes, facts), searched: matcher.searched, digestHex: digest };
  if (found === null) return { ...base, ...explainNothing(isRightKey, causes, finding, matcher) };
  const valid = causes.length === 0 && isStrictlyPadded(finding.padding);
  return {
    ...base,
    valid,
    verdict: valid ? 'valid' : isRightKey ? 'explained' : 'other_key',
    explanation: valid
      ? 'The signature is valid: made with this key, over exactly this string.'
      : explainCauses(causes),
    signedString: found.text,
  };
}

/** Encoding, key, padding and hash first, then the string, as in the table of checks. */
function sortCauses(causes: Cause[]): Cause[] {
  return causes.sort((left, right) => CAUSE_CODES.indexOf(left.code) - CAUSE_CODES.indexOf(right.code));
}

function isStrictlyPadded(padding: Padding): boolean {
  return padding.kind === 'digest' && padding.isStrict && padding.hash === 'sha256';
}

function encodingOf({ causes, finding }: DecodedSignature): { finding: string; isGood: boolean } {
  return { finding, isGood: causes.length === 0 };
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text);
}

/** Lists everything that is tried, the likeliest first: where two give the same string, the first one is named. */
function listDeviations(
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
    ...listEarlierDeviations(question.earlier, signed[0]!),
    ...(question.claimedString === null ? [] : listClaimedDeviations(question.claimedString, signed)),
  ];
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

function explainNothing(
  isRightKey: boolean,
  causes: readonly Cause[],
  { padding }: KeyFinding,
  { searched }: Matcher,
): Pick<DoctorResult, 'verdict' | 'explanation'> {
  const digest =
    padding.kind === 'digest'
      ? `its ${HASH_ALGORITHMS[padding.hash].label} digest is ${padding.digestHex}`
      : 'it holds bytes that are no known string';
  const head = causes.length === 0 ? 'Made with this key' : explainCauses(causes).replace(/: [^:]*$/, '');
  return {
    verdict: isRightKey ? 'unexplained' : 'other_key',
    explanation: `${head}, but ${digest}, and none of ${searched.toLocaleString('en')} strings that were tried gives it: compare the exact bytes that the code signs with the expected string.`,
  };
}

/** Fills the fields that every answer has. */
function answer(subject: Subject, causes: readonly Cause[], facts: ReportFacts): DoctorResult {
  return {
    valid: false,
    verdict: 'unexplained',
    explanation: '',
    causes: causes.map(toContractCause),
    signedString: null,
    expectedString: subject.expected,
    checks: listChecks(facts),
    digestHex: null,
    searched: 0,
    elapsedMs: 0,
  };
}
