import { cutText } from '../report/show-text';
import type { Cause } from '../causes';
import { readPaddings, type HashFunction, type Padding } from './read-padding';

/** A public key as the doctor uses it. */
export interface DoctorKey {
  /** What a person calls it; null for a key that was only pasted. */
  readonly name: string | null;
  /** Environment it is bound to; null: not bound, or not known. */
  readonly environment: string | null;
  readonly fingerprint: string;
  readonly bits: number;
  /** Applies the key: `signature ^ e mod n`, as long as the modulus; null where the signature is not below it. */
  recover(signature: Uint8Array): Uint8Array | null;
}

/** The key that a signature was made with, and what it holds. */
export interface KeyFinding {
  readonly key: DoctorKey;
  readonly padding: Padding;
  /** The bytes stand in reverse, as Windows' CryptoAPI gives them. */
  readonly isReversed: boolean;
}

/** Bytes of a signature made with a key. */
export function sizeOf(key: DoctorKey): number {
  return Math.ceil(key.bits / 8);
}

/** Tells that a finding is no chance: nobody but the key's owner can make a block of this form. */
export function isCertain({ padding }: KeyFinding): boolean {
  return padding.kind !== 'pss' || padding.isCertain;
}

/**
 * Finds the key that a signature was made with, the one at hand first.
 *
 * @returns the one that proves itself; else those that may be chance, which only a string that fits can prove
 */
export function findKeys(
  signature: Uint8Array,
  keys: readonly DoctorKey[],
  hash: HashFunction,
): KeyFinding[] {
  const findings = [false, true].flatMap((isReversed) =>
    keys.flatMap((key) => {
      const bytes = isReversed ? signature.toReversed() : signature;
      const block = sizeOf(key) === bytes.length ? key.recover(bytes) : null;
      const paddings = block === null ? [] : readPaddings(block, key.bits, hash);
      return paddings.map((padding): KeyFinding => ({ key, padding, isReversed }));
    }),
  );
  const certain = findings.find(isCertain);
  return certain === undefined ? findings : [certain];
}

/** Says that the bytes stand in the wrong order. */
export function explainReversed(): Cause {
  return {
    code: 'encoding.wrapped',
    phrase: 'and then written with its bytes in reverse order',
    remedy:
      'reverse the bytes that CryptSignHash gives before they are encoded (most significant byte first)',
    expected: 'most significant byte first',
    actual: 'least significant byte first',
  };
}

/** Says that another key at hand made the signature (those of the vault have names), and whether environments were swapped. */
export function explainOtherKey(expected: DoctorKey, actual: DoctorKey): Cause {
  const name = actual.name === null ? null : `the key “${cutText(actual.name)}”`;
  const isSwapped =
    expected.environment !== null &&
    actual.environment !== null &&
    expected.environment !== actual.environment;
  if (!isSwapped) {
    return {
      code: 'key.vault',
      phrase: `with ${name === null ? `another key that is known here, ${shortFingerprint(actual)}` : `${name} of the vault`}`,
      remedy: 'sign with the private half of the key that is registered, or register this one',
      expected: expected.name ?? shortFingerprint(expected),
      actual: actual.name ?? shortFingerprint(actual),
    };
  }
  return {
    code: 'key.environment_swapped',
    phrase: `with ${name ?? 'another key'} of ${actual.environment}, while ${expected.environment} checks it with its own`,
    remedy: `use the ${expected.environment} key for ${expected.environment}`,
    expected: expected.environment,
    actual: actual.environment,
  };
}

/** Says that no key at hand made the signature. */
export function explainUnknownKey(expected: DoctorKey, signatureBytes: number): Cause {
  const size = sizeOf(expected);
  return {
    code: 'key.other',
    phrase:
      signatureBytes === size
        ? 'with another key, or altered afterwards'
        : `with a key of ${signatureBytes * 8} bits`,
    remedy: 'check which private key the code loads, and that its public half is the one registered',
    expected: expected.name ?? shortFingerprint(expected),
    actual: signatureBytes === size ? 'another key' : `a key of ${signatureBytes * 8} bits`,
  };
}

function shortFingerprint({ fingerprint }: DoctorKey): string {
  return `SHA256:${fingerprint.slice(0, 16)}…`;
}
