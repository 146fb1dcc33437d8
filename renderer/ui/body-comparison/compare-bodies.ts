import { cutMasked } from '@shared/cut-masked';
import {
  compareJsonTexts,
  findFirstByte,
  MOST_DIFFERENCES,
  type JsonDifference,
} from '@shared/webhooks/compare-json';
import { countOf } from '@shared/count-of';

/** Of a value of megabytes and of a hundred thousand places, the beginning tells what it is. */
const MOST_CHARACTERS = 2000;
const MOST_ROWS = 200;

/** What two bodies have otherwise, short enough to be shown. */
export interface BodyComparison {
  /** A sentence without its full stop. */
  readonly bytes: string;
  /** Null: there is nothing to be compared by meaning, or `whyNot` says why not. */
  readonly differences: readonly JsonDifference[] | null;
  readonly whyNot: string | null;
  /** Of how many differences these are the first; null: they are all of them. */
  readonly outOf: string | null;
}

/** Compares two bodies, byte by byte and by what they mean as JSON. Null: there is no body. */
export function compareBodies(left: Uint8Array | null, right: Uint8Array | null): BodyComparison {
  const bytes = compareBytes(left, right);
  if (left === null || right === null) return { bytes, differences: null, whyNot: null, outOf: null };
  const { differences, whyNot } = compareJsonTexts(decode(left), decode(right));
  if (differences === null) return { bytes, differences, whyNot, outOf: null };
  const shown = differences.slice(0, MOST_ROWS).map((one) => ({
    ...one,
    pointer: cut(one.pointer),
    left: one.left === null ? null : cut(one.left),
    right: one.right === null ? null : cut(one.right),
  }));
  const isMany = differences.length >= MOST_DIFFERENCES;
  const count = isMany
    ? `${MOST_DIFFERENCES.toLocaleString('en')} or more`
    : differences.length.toLocaleString('en');
  return {
    bytes,
    differences: shown,
    whyNot: null,
    outOf: shown.length === differences.length ? null : count,
  };
}

/** Says whether two bodies have the same bytes, and else from which on they differ. */
export function compareBytes(left: Uint8Array | null, right: Uint8Array | null): string {
  if (left === null && right === null) return 'Neither has a body';
  if (left === null || right === null)
    return `There is a body ${left === null ? 'here, and none there' : 'there, and none here'}`;
  const at = findFirstByte(left, right);
  if (at === null) return 'The bytes are the same';
  return `The bytes differ from byte ${at.toLocaleString('en')} on (${left.length.toLocaleString('en')} and ${countOf(right.length, 'byte')})`;
}

const decode = (bytes: Uint8Array | null): string =>
  bytes === null ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** What comes here was masked before, where it had to be. */
const cut = (text: string): string => cutMasked(text, (whole) => whole, MOST_CHARACTERS);
