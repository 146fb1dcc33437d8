import type { DoctorResult } from '../../contract/doctor';
import { decodeBase64, findBase64Fault } from '../../signing/base64';
import type { Cause } from '../causes';
import type { DoctorQuestion } from '../question';
import { writeAnswer } from '../report/write-answer';
import type { Subject } from '../subject';
import { readAsUtf8, type DecodedSignature } from './decode-signature';
import { sizeOf } from './key-search';
import { cutText } from '../report/show-text';
import { isOneCase, nameLikelyKind, nameTextKind, readAsText } from './likely-kind';

/** Bytes of signatures made with RSA keys that the service might have: 2048, 3072, 4096 and 8192 bits. */
const RSA_SIZES: readonly number[] = [256, 384, 512, 1024];
/** Of a key of 1536 bits: the service takes none, and their Base64 has no padding that would tell them from a part. */
const SMALLER_BYTES = 192;
/** Fewer bytes than these are no part of a signature that anyone would recognise. */
const FEWEST_BYTES = 64;

/**
 * Answers what needs no key: nothing readable, or a signature of an impossible length.
 *
 * @returns null where the keys have to be asked
 */
export function refuseEarly(
  { signature, key, otherKeys }: DoctorQuestion,
  subject: Subject,
  decoded: DecodedSignature,
): DoctorResult | null {
  const size = sizeOf(key);
  const { bytes, end } = decoded;
  const length = bytes?.length ?? 0;
  const other = nameOther(signature, decoded, length === size, subject);
  if (other !== null) {
    const explanation = `This is not a signature made with an RSA key of ${key.bits} bits: it should be ${size} bytes in standard Base64, it is ${other}.`;
    const encoding = { finding: cutText(other), isGood: false };
    return writeAnswer(subject, { decoded, encoding, causes: [], verdict: 'not_a_signature', explanation });
  }
  if (RSA_SIZES.includes(length) || [key, ...otherKeys].some((one) => sizeOf(one) === length)) return null;
  const kind = bytes === null ? null : nameLikelyKind(bytes);
  const isPart = length < size && length >= FEWEST_BYTES;
  const encoding = { finding: decoded.finding, isGood: false };
  if (isPart && (end === 'cut' || (end === 'open' && kind === null))) {
    const isNamed = decoded.causes.some(({ code }) => code === 'encoding.truncated');
    return writeAnswer(subject, {
      decoded,
      encoding,
      verdict: 'explained',
      causes: isNamed ? decoded.causes : [...decoded.causes, truncatedCause(length, size)],
      explanation: `The signature has ${length} of ${size} bytes, a part of it is lost${orSmaller(length)}: send the whole of it.`,
    });
  }
  const likely = kind === null ? '' : `, as many as ${kind} has`;
  return writeAnswer(subject, {
    decoded,
    encoding,
    causes: [],
    verdict: 'not_a_signature',
    explanation: `This ${bytes === null ? 'cannot be read as' : 'is not'} a signature made with an RSA key of ${key.bits} bits: it should be ${size} bytes in standard Base64, it is ${decoded.finding}${likely}.`,
  });
}

/** What is no signature, though its length or its letters may be those of one: in words, with what to do; null for others. */
function nameOther(
  signature: string,
  { bytes }: DecodedSignature,
  isWhole: boolean,
  { body, expected }: Subject,
): string | null {
  const bare = signature.trim();
  if (bare === '') return 'empty: the code had no signature when it wrote the header';
  if (bare === expected) return 'the string to sign itself: sign it, and send the signature';
  if (bare === body.trim()) return 'the body: send a signature over the string to sign';
  const kind = isWhole ? null : nameTextKind(signature);
  if (kind !== null) return kind;
  if (isOneCase(signature))
    return 'Base64 whose letters are all of one case, so that what they said is lost: send it as the encoder writes it';
  const inner = findBase64Fault(bare) === null ? readAsText(decodeBase64(bare)) : null;
  if (inner?.trim() === expected)
    return 'the string to sign in another writing, not signed: sign it with the private key, then write the signature as Base64';
  const text = bytes === null ? null : readAsText(bytes);
  if (text === null) return bytes !== null && !isWhole ? nameTextKind(readAsUtf8(bytes) ?? '') : null;
  const printed = nameTextKind(text);
  if (printed !== null) return printed;
  if (isNested(text)) return 'encoded more than twice: write the signature bytes as Base64 once';
  const what = /^\s*[[{]/.test(text) ? 'of JSON' : 'of a text';
  return `another writing ${what}, not of a signature: sign the string to sign with the private key, then write the signature as Base64`;
}

/** Whether a text is Base64, however often over, of so many bytes as a signature has. Their hex can be read as Base64, too. */
function isNested(text: string): boolean {
  for (let inner: string | undefined = text; inner !== undefined;) {
    const bare: string = inner.replace(/\s/g, '');
    if (bare === '' || findBase64Fault(bare) !== null) return false;
    const bytes = decodeBase64(bare);
    inner = readAsText(bytes) ?? undefined;
    if (inner === undefined) return RSA_SIZES.includes(bytes.length);
  }
  return false;
}

/** What a column of 256 characters cuts off looks like a signature of a smaller key. */
function orSmaller(length: number): string {
  return length === SMALLER_BYTES ? ` or it was made with an RSA key of ${SMALLER_BYTES * 8} bits` : '';
}

function truncatedCause(length: number, size: number): Cause {
  return {
    code: 'encoding.truncated',
    phrase: `and then cut short${orSmaller(length)}`,
    remedy: 'send the whole signature',
    expected: `${size} bytes`,
    actual: `${length} bytes`,
  };
}
