import type { DoctorKey } from './decode/key-search';
import type { HashFunction } from './decode/read-padding';
import type { EarlierRequest } from './hypotheses/earlier-deviations';
import type { KnownValue } from './hypotheses/known-deviations';

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
  readonly otherKeys: readonly DoctorKey[];
  /** What the other side says it signed; null: nothing. */
  readonly claimedString: string | null;
  /** Latest first. */
  readonly earlier: readonly EarlierRequest[];
  /** Tokens and credentials that the code which signs has at hand; left out: none is known. */
  readonly known?: readonly KnownValue[];
  /** Secrets that are not sought, and that no answer holds either; left out: there are none. */
  readonly kept?: readonly KnownValue[];
  /** A search ends after so long, and says so; left out: after ten seconds. */
  readonly mostMs?: number;
  /** So many times as many strings as usual may be tried, where values are long; left out: as many. */
  readonly effort?: number;
}
