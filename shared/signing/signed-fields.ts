import type { SignedFieldName } from '../contract/common';
import { decodeJsonString, scanJson } from '../json/json-scanner';
import { JSON_OBJECT, type JsonSink } from '../json/json-sink';

/** Where a signed field lives, in the order in which the values are joined. */
export interface SignedFieldPlace {
  readonly field: SignedFieldName;
  readonly path: string;
  readonly pointer: string;
}

/** The four signed fields in order. @source payments-service-interface, part 5.5 */
export const SIGNED_FIELDS: readonly SignedFieldPlace[] = [
  { field: 'reference', path: 'transaction.reference', pointer: '/transaction/reference' },
  { field: 'amount', path: 'transaction.amount', pointer: '/transaction/amount' },
  { field: 'country', path: 'originator.country', pointer: '/originator/country' },
  { field: 'service_code', path: 'transaction.service_code', pointer: '/transaction/service_code' },
];

const REFERENCE = 0;
const AMOUNT = 1;
const COUNTRY = 2;
const SERVICE_CODE = 3;
const NONE = -1;

const TRANSACTION_PARENT = 1;
const ORIGINATOR_PARENT = 2;

/**
 * Finds the signed fields of a body while it is scanned.
 *
 * The last of several equal keys counts, as in `JSON.parse`; how often each stood there is kept, because two
 * readers may disagree about it. Index: position in {@link SIGNED_FIELDS}.
 */
export class SignedFieldFinder implements JsonSink {
  readonly levels = 2;
  /** `JSON_…` kind of each value; 0: not there. */
  readonly kinds = [0, 0, 0, 0];
  readonly starts = [0, 0, 0, 0];
  readonly ends = [0, 0, 0, 0];
  readonly escapes = [false, false, false, false];
  readonly counts = [0, 0, 0, 0];
  /** How often `transaction` and `originator` stand at the top. */
  readonly parentCounts = [0, 0];
  /** Offsets (inside the quotes) of repeated keys on the way to signed fields: start, end, start, end … */
  readonly repeats: number[] = [];

  private depth = 0;
  private parent = 0;
  protected pending = NONE;
  private isRootObject = false;

  constructor(private readonly text: string) {}

  key(start: number, end: number, hasEscape: boolean): void {
    if (this.depth === 1) this.topKey(start, end, hasEscape);
    else if (this.depth === 2 && this.parent !== 0) this.memberKey(start, end, hasEscape);
  }

  scalar(kind: number, start: number, end: number, hasEscape: boolean): void {
    if (this.depth === 1) this.parent = 0;
    else if (this.pending !== NONE && this.depth === 2) this.keep(kind, start, end, hasEscape);
  }

  open(kind: number, start: number): void {
    if (this.depth === 0) this.isRootObject = kind === JSON_OBJECT;
    else if (this.depth === 1 && (kind !== JSON_OBJECT || !this.isRootObject)) this.parent = 0;
    else if (this.depth === 2 && this.pending !== NONE) this.keep(kind, start, start + 1, false);
    this.depth += 1;
  }

  close(_end: number): void {
    this.depth -= 1;
    if (this.depth === 1) this.parent = 0;
  }

  /** Text of a found value: decoded for a string, as written for a number. */
  valueOf(index: number): string {
    return decodeJsonString(this.text, this.starts[index]!, this.ends[index]!, this.escapes[index]!);
  }

  private topKey(start: number, end: number, hasEscape: boolean): void {
    if (this.isKey('transaction', start, end, hasEscape)) this.enter(TRANSACTION_PARENT, start, end);
    else if (this.isKey('originator', start, end, hasEscape)) this.enter(ORIGINATOR_PARENT, start, end);
    else this.parent = 0;
  }

  /** A parent that stands there again replaces all that was found in the first one. */
  private enter(parent: number, start: number, end: number): void {
    this.parent = parent;
    this.parentCounts[parent - 1]! += 1;
    if (this.parentCounts[parent - 1] === 1) return;
    this.repeats.push(start, end);
    if (parent === ORIGINATOR_PARENT) this.forget(COUNTRY);
    else for (const index of [REFERENCE, AMOUNT, SERVICE_CODE]) this.forget(index);
  }

  private forget(index: number): void {
    this.kinds[index] = 0;
    this.counts[index] = 0;
  }

  private memberKey(start: number, end: number, hasEscape: boolean): void {
    let found = NONE;
    if (this.parent === ORIGINATOR_PARENT) {
      if (this.isKey('country', start, end, hasEscape)) found = COUNTRY;
    } else if (this.isKey('reference', start, end, hasEscape)) found = REFERENCE;
    else if (this.isKey('amount', start, end, hasEscape)) found = AMOUNT;
    else if (this.isKey('service_code', start, end, hasEscape)) found = SERVICE_CODE;
    this.pending = found;
    if (found !== NONE && ++this.counts[found]! > 1) this.repeats.push(start, end);
  }

  protected keep(kind: number, start: number, end: number, hasEscape: boolean): void {
    const index = this.pending;
    this.kinds[index] = kind;
    this.starts[index] = start;
    this.ends[index] = end;
    this.escapes[index] = hasEscape;
    this.pending = NONE;
  }

  /** Tells whether the key between these offsets means this name, escapes decoded. */
  protected isKey(name: string, start: number, end: number, hasEscape: boolean): boolean {
    if (hasEscape) return decodeJsonString(this.text, start, end, true) === name;
    if (end - start !== name.length) return false;
    const { text } = this;
    for (let at = name.length - 1; at >= 0; at -= 1) {
      if (text.charCodeAt(start + at) !== name.charCodeAt(at)) return false;
    }
    return true;
  }
}

/**
 * Scans a body once and tells where its signed fields stand.
 *
 * @throws {AppError} `signing.not_json`
 */
export function findSignedFields(body: string): SignedFieldFinder {
  const finder = new SignedFieldFinder(body);
  scanJson(body, finder);
  return finder;
}
