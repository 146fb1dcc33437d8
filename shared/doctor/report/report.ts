import type { DoctorResult } from '../../contract/doctor';
import { rowOf, STRING_ROWS, type Cause } from '../causes';
import { HASH_ALGORITHMS } from '../../signing/hash-algorithms';
import type { KeyFinding } from '../decode/key-search';
import type { Padding } from '../decode/read-padding';
import { cutText, showText } from './show-text';

type Check = DoctorResult['checks'][number];

/** What is written in the table when nothing is known yet. */
export interface ReportFacts {
  readonly encoding: { readonly finding: string; readonly isGood: boolean };
  /** Null where no key fits. */
  readonly finding: KeyFinding | null;
  readonly isRightKey: boolean;
  readonly causes: readonly Cause[];
  /** Whether the string that was signed is known. */
  readonly isStringKnown: boolean;
  /** It was found as a whole, and not as the four values with something done otherwise. */
  readonly isWhole: boolean;
  readonly claim: { readonly finding: string; readonly isGood: boolean } | null;
}

/** Writes the table of checks: encoding, key, padding, hash, then what was found about the string. */
export function listChecks(facts: ReportFacts): Check[] {
  const { encoding, finding, isRightKey, causes, claim } = facts;
  const checks: Check[] = [{ name: 'Encoding', ...encoding }];
  if (finding === null) {
    checks.push({
      name: 'Key',
      finding: describeKeyCause(causes) ?? 'not checked',
      isGood: describeKeyCause(causes) === null ? null : false,
    });
    return checks;
  }
  checks.push({
    name: 'Key',
    finding: isRightKey
      ? 'made with the private half of this key'
      : (describeKeyCause(causes) ?? 'another key'),
    isGood: isRightKey,
  });
  checks.push(...checkPadding(finding.padding, causes));
  const stringCauses = causes.filter((cause) => STRING_ROWS.some((row) => row === rowOf(cause)));
  for (const cause of stringCauses) {
    if (cause.phrase !== '') checks.push({ name: rowOf(cause), finding: describe(cause), isGood: false });
  }
  checks.push(checkRest(stringCauses, facts));
  if (claim !== null) checks.push({ name: 'Claimed string', ...claim });
  return checks;
}

function describeKeyCause(causes: readonly Cause[]): string | null {
  const cause = causes.find((one) => rowOf(one) === 'Key');
  return cause === undefined ? null : `made ${cause.phrase}`;
}

function checkPadding(padding: Padding, causes: readonly Cause[]): Check[] {
  // What has no code is said of the padding, or of a hash that is not SHA-256.
  const hashCauses = causes.filter((cause) => cause.code !== null && rowOf(cause) === 'Hash');
  const isHashGood = hashCauses.length === 0 && padding.kind !== 'bare' && padding.hash === 'sha256';
  switch (padding.kind) {
    case 'bare':
      return [
        {
          name: 'Padding',
          finding: !padding.isPadded
            ? 'none'
            : `PKCS#1 v1.5, ${padding.isBrokenInfo ? 'a DigestInfo that is not well formed' : 'without DigestInfo'}`,
          isGood: false,
        },
        {
          name: 'Hash',
          finding: padding.isBrokenInfo
            ? 'not known'
            : `none named, ${padding.payload.length} bytes padded as they are`,
          isGood: false,
        },
      ];
    case 'pss':
      return [
        {
          name: 'Padding',
          finding: `PSS, a salt of ${padding.salt.length} bytes; expected PKCS#1 v1.5`,
          isGood: false,
        },
        { name: 'Hash', finding: HASH_ALGORITHMS[padding.hash].label, isGood: isHashGood },
      ];
    case 'digest':
      return [
        {
          name: 'Padding',
          finding:
            padding.fault === null ? 'PKCS#1 v1.5, well formed' : `not well formed, with ${padding.fault}`,
          isGood: padding.fault === null,
        },
        {
          name: 'Hash',
          finding: `${HASH_ALGORITHMS[padding.hash].label}, digest ${shortenDigest(padding.digestHex)}${hashCauses
            .filter(
              ({ code, phrase }) => (code !== null && phrase.startsWith('over ')) || code === 'hash.double',
            )
            .map(({ phrase }) => `, ${phrase}`)
            .join('')}`,
          isGood: isHashGood,
        },
      ];
  }
}

function checkRest(
  stringCauses: readonly Cause[],
  { isStringKnown, isWhole }: Pick<ReportFacts, 'isStringKnown' | 'isWhole'>,
): Check {
  const named = new Set(stringCauses.map(rowOf));
  const rest = STRING_ROWS.filter(
    (row) => !named.has(row) && row !== 'What was signed' && row !== 'Reference',
  );
  const words = rest.map((row) => row.toLowerCase()).join(', ');
  const name = words[0]!.toUpperCase() + words.slice(1);
  if (isWhole) return { name, finding: 'not compared one by one', isGood: null };
  return {
    name,
    finding: isStringKnown ? 'as expected' : 'nothing that was tried gives the digest',
    isGood: isStringKnown ? true : null,
  };
}

function describe({ code, phrase, expected, actual }: Cause): string {
  switch (code) {
    case 'string.separator':
      return expected === 'none' ? `${showText(actual ?? '')}, expected none` : phrase;
    case 'country.form':
    case 'number.format':
      return `${cutText(actual ?? '')}, the body says ${cutText(expected ?? '')}`;
    case 'string.order':
      return expected === null ? phrase : `${actual ?? ''}; expected ${expected}`;
    default:
      return phrase;
  }
}

/** Writes a digest by its two ends: `9d41 02ce … 77b0`. */
function shortenDigest(hex: string): string {
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)} … ${hex.slice(-4)}`;
}

/** Says in one sentence what was done and what to do instead. */
export function explainCauses(causes: readonly Cause[]): string {
  const remedies = [...new Set(causes.map(({ remedy }) => remedy).filter((remedy) => remedy !== ''))];
  return `${describeCauses(causes)}: ${joinWords(remedies)}.`;
}

/** Says what was done, without a full stop: 'Signed with SHA-1 and …'. */
export function describeCauses(causes: readonly Cause[]): string {
  return `Signed ${joinWords(causes.map(({ phrase }) => phrase).filter((phrase) => phrase !== ''))}`;
}

/** Joins words as a sentence has them. */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  const last = words.at(-1) ?? '';
  return `${words.slice(0, -1).join(', ')}, ${/^and\b/.test(last) ? '' : 'and '}${last}`;
}

/** Writes causes as the contract has them: those that have a code. */
export function toContractCauses(causes: readonly Cause[]): DoctorResult['causes'] {
  return causes.flatMap(({ code, phrase, remedy, expected, actual }) => {
    if (code === null) return [];
    const said = phrase === '' ? `${cutText(actual ?? '')} was signed too` : phrase;
    const message = `${said[0]!.toUpperCase()}${said.slice(1)}${remedy === '' ? '' : `: ${remedy}`}.`;
    return [{ code, message, expected, actual }];
  });
}
