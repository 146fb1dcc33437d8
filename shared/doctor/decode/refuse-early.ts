import type { DoctorResult } from '../../contract/doctor';
import type { Cause } from '../causes';
import type { DoctorQuestion } from '../question';
import { writeAnswer } from '../report/write-answer';
import type { Subject } from '../subject';
import type { DecodedSignature } from './decode-signature';
import { sizeOf } from './key-search';
import { nameLikelyKind, nameTextKind } from './likely-kind';

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
  if (RSA_SIZES.includes(length) || [key, ...otherKeys].some((one) => sizeOf(one) === length)) return null;
  const textKind = nameTextKind(signature);
  const kind = textKind ?? (bytes === null ? null : nameLikelyKind(bytes));
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
  const likely = kind === null ? '' : kind === textKind ? `: it is ${kind}` : `, as many as ${kind} has`;
  return writeAnswer(subject, {
    decoded,
    encoding,
    causes: [],
    verdict: 'not_a_signature',
    explanation: `This ${bytes === null ? 'cannot be read as' : 'is not'} a signature made with an RSA key of ${key.bits} bits: it should be ${size} bytes in standard Base64, it is ${decoded.finding}${likely}.`,
  });
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
