import { describePurpose, isInitiation, readReference, type BackendCall } from './evidence';

/** Moments are kept in whole milliseconds, and two clocks tell them and how long a call took. */
const ROUNDED_MS = 5;
/** A send of the same purpose within so long after a failure is taken for its repetition. */
const REPETITION_MS = 15 * 60_000;

type Groups = ReadonlyMap<string, readonly BackendCall[]>;

/**
 * Finds what followed a call, and what belongs to it, without looking at all the others.
 *
 * A proxy keeps 50,000 calls, and after a load test most of them may have failed: whoever compared each with each would
 * be at it for hours.
 */
export class CallIndex {
  readonly byReference: Groups;
  readonly #byPurpose: Groups;
  readonly #asked: Groups;
  readonly #byAim: Groups;

  /** @param calls - oldest first */
  constructor(calls: readonly BackendCall[]) {
    const initiations = calls.filter(isInitiation);
    this.byReference = group(initiations, readReference);
    this.#byPurpose = group(initiations, describePurpose);
    this.#asked = group(
      calls.filter(({ operation }) => operation === 'status'),
      readReference,
    );
    this.#byAim = group(calls, describeAim);
  }

  /** The next send of the same purpose under another reference, where the failed one was not sent again first. */
  findReplacement(failed: BackendCall): BackendCall | null {
    const purpose = describePurpose(failed);
    const next = purpose === null ? undefined : findNext(this.#byPurpose.get(purpose), failed.at);
    if (next === undefined || next.at - failed.at >= REPETITION_MS) return null;
    return readReference(next) === readReference(failed) ? null : next;
  }

  /** The next send under the same reference. */
  findRetry(failed: BackendCall): BackendCall | undefined {
    const reference = readReference(failed);
    return reference === null ? undefined : findNext(this.byReference.get(reference), failed.at);
  }

  /** The first call after an answer of the same operation about the same payment; of one without a reference, to the same address with the same body. */
  findSameAgain(call: BackendCall): BackendCall | undefined {
    return findNext(this.#byAim.get(describeAim(call)), call.at + Math.max(0, call.durationMs - ROUNDED_MS));
  }

  /** Whether the backend asked for the status of a payment between a send and a moment. */
  wasAsked(failed: BackendCall, until: number): boolean {
    const reference = readReference(failed);
    const next = reference === null ? undefined : findNext(this.#asked.get(reference), failed.at);
    return next !== undefined && next.at <= until;
  }
}

function describeAim(call: BackendCall): string {
  const { operation, url, body } = call;
  const reference = readReference(call);
  return JSON.stringify(reference === null ? [operation, url, body] : [operation, reference]);
}

function group(calls: readonly BackendCall[], nameOf: (call: BackendCall) => string | null): Groups {
  const groups = new Map<string, BackendCall[]>();
  for (const call of calls) {
    const name = nameOf(call);
    if (name === null) continue;
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [call]);
    else known.push(call);
  }
  return groups;
}

/** The first of a group after a moment, by halves. */
function findNext(calls: readonly BackendCall[] = [], after: number): BackendCall | undefined {
  let from = 0;
  for (let to = calls.length; from < to;) {
    const middle = (from + to) >> 1;
    if (calls[middle]!.at > after) to = middle;
    else from = middle + 1;
  }
  return calls[from];
}
