import { readChildren, readElement, readOid, TAG, type DerElement } from './der';

/** What DER bytes are, told from their structure: labels on pasted keys are often wrong. */
export type KeyStructure =
  | 'pkcs8'
  | 'encrypted_pkcs8'
  | 'pkcs1'
  | 'pkcs1_public'
  | 'spki'
  | 'certificate'
  | 'certificate_request'
  | 'pkcs12'
  | 'sec1'
  | 'dsa'
  | 'unknown';

export interface StructureReading {
  structure: KeyStructure;
  /** The algorithm named inside, as an object identifier; null where the form names none. */
  algorithm: string | null;
  /** Length that the outermost element claims, header included. */
  claimedLength: number;
}

const PKCS12_CONTENT = '1.2.840.113549.1.7';

/** Tells what DER bytes are. Bytes cut short are still told as far as their first elements go. */
export function readStructure(der: Uint8Array): StructureReading {
  const outer = readElement(der, 0);
  if (outer === null || outer.tag !== TAG.sequence) {
    return { structure: 'unknown', algorithm: null, claimedLength: 0 };
  }
  const children = readChildrenAsFarAsTheyGo(der, outer);
  const structure = tellStructure(der, children);
  const named = structure === 'pkcs8' ? children[1] : children[0];
  const hasAlgorithm = structure === 'pkcs8' || structure === 'spki' || structure === 'encrypted_pkcs8';
  return {
    structure,
    algorithm: hasAlgorithm && named !== undefined ? readFirstOid(der, named) : null,
    claimedLength: outer.end,
  };
}

function tellStructure(der: Uint8Array, children: readonly DerElement[]): KeyStructure {
  const [first, second, third] = children;
  if (first === undefined) return 'unknown';
  if (first.tag === TAG.integer) return tellByVersion(der, children);
  if (first.tag !== TAG.sequence || second === undefined) return 'unknown';
  const oid = readFirstOid(der, first);
  if (second.tag === TAG.bitString && oid !== null) return 'spki';
  if (second.tag === TAG.octetString && oid !== null) return 'encrypted_pkcs8';
  if (second.tag !== TAG.sequence || third === undefined || third.tag !== TAG.bitString) return 'unknown';
  // Both are signed by whoever made them; a request starts with its version, 0, and holds a name next.
  const inner = readChildrenAsFarAsTheyGo(der, first);
  return inner[0]?.tag === TAG.integer && inner[3]?.tag === 0xa0 ? 'certificate_request' : 'certificate';
}

/** What begins with a version number: told by the element after it. */
function tellByVersion(der: Uint8Array, children: readonly DerElement[]): KeyStructure {
  const [version, second, third] = children as readonly [DerElement, ...DerElement[]];
  const value = version.end - version.start === 1 ? (der[version.start] ?? -1) : null;
  if (value === null) return second?.tag === TAG.integer && third === undefined ? 'pkcs1_public' : 'unknown';
  if (second?.tag === TAG.sequence) return tellByAlgorithm(der, value, second, third);
  if (second?.tag === TAG.octetString) return value === 1 ? 'sec1' : 'unknown';
  if (second?.tag !== TAG.integer || third?.tag !== TAG.integer) return 'unknown';
  // RSA's public exponent is short; in a DSA key this place holds a long prime divisor, and three numbers follow, not six.
  return third.end - third.start <= 9 || children.length > 6 ? 'pkcs1' : 'dsa';
}

function tellByAlgorithm(
  der: Uint8Array,
  version: number,
  algorithm: DerElement,
  content: DerElement | undefined,
): KeyStructure {
  if (content?.tag === TAG.octetString) return 'pkcs8';
  const isPkcs12 = version === 3 && readFirstOid(der, algorithm)?.startsWith(PKCS12_CONTENT) === true;
  return isPkcs12 ? 'pkcs12' : 'unknown';
}

function readFirstOid(der: Uint8Array, sequence: DerElement): string | null {
  const first = readElement(der, sequence.start);
  return first !== null && first.tag === TAG.oid && first.end <= der.length ? readOid(der, first) : null;
}

function readChildrenAsFarAsTheyGo(der: Uint8Array, parent: DerElement): DerElement[] {
  const whole = parent.end <= der.length ? readChildren(der, parent) : null;
  if (whole !== null) return whole;
  const children: DerElement[] = [];
  for (let offset = parent.start; offset < der.length;) {
    const child = readElement(der, offset);
    if (child === null) break;
    children.push(child);
    offset = child.end;
  }
  return children;
}

/** Names of algorithms that people bring where RSA is needed. */
export const ALGORITHM_NAMES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.113549.1.1.7': 'RSA-OAEP',
  '1.2.840.113549.1.1.10': 'RSA-PSS',
  '1.2.840.10040.4.1': 'DSA',
  '1.2.840.10045.2.1': 'EC',
  '1.2.840.113549.1.3.1': 'DH',
  '1.3.101.110': 'X25519',
  '1.3.101.111': 'X448',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
};
