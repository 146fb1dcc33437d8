import type { KeyObject } from 'node:crypto';
import { digestHex, verifyDigest } from '../../platform/rsa-signatures';
import type { Round, SignatureBoard, SignedDigest } from './signature-ring-buffer';
import type { SignatureHelper } from './signature-helper';

/** Verifies signatures, those of one turn of the event loop together. */
export interface SignatureChecks {
  /**
   * Tells whether one of the keys made this signature.
   *
   * @param signature - raw bytes
   * @param tell - called once, later; does not throw
   */
  verify(text: string, signature: Buffer, tell: (isValid: boolean) => void): void;
  /** Ends the helper's thread. */
  close(): void;
}

/** A key that signatures are checked against. */
export interface CheckedKey {
  readonly key: KeyObject;
  readonly pem: string;
}

interface Question {
  readonly text: string;
  readonly signature: Buffer;
  tell(isValid: boolean): void;
}

/** Signatures of one turn that a helper looks at, too; the keys that it knows. */
interface Group {
  readonly questions: readonly Question[];
  readonly digests: readonly SignedDigest[];
  readonly keys: readonly CheckedKey[];
  readonly board: SignatureBoard;
  readonly round: Round;
  readonly results: boolean[];
  /** Signatures, from the first on, that have no result here yet. */
  left: number;
}

/** Fewer at a time are verified before another thread has woken up. */
const WORTH_SHARING = 4;
/** Turns of the event loop, with all that comes in, for which the oldest group is left to the helper. */
const HELPER_TURNS = 4;

/**
 * Makes the checks: RSASSA-PKCS1-v1_5 with SHA-256.
 *
 * What one turn of the event loop brings is checked in the next, one right after the other: with its code and tables in
 * the cache a verification takes half of what it takes between two other things. Under load a second thread goes
 * through the same signatures from the other end meanwhile; nothing waits for it.
 * @param keys - those that count when a group is answered; another array after each change
 * @param helperFile - built entry of the second thread; where it cannot be started this one does all
 * @source payments-service-interface, part 5.5
 */
export function createSignatureChecks(keys: () => readonly CheckedKey[], helperFile: URL): SignatureChecks {
  let asked: Question[] = [];
  /** Oldest first. */
  const groups: Group[] = [];
  let turnsLeft = HELPER_TURNS;
  let helper: SignatureHelper | null = null;
  let helperKeys: readonly CheckedKey[] = [];
  let canHelp = true;
  let isStarting = false;

  const findHelper = (known: readonly CheckedKey[]): SignatureHelper | null => {
    if (helper !== null && helperKeys !== known) stopHelper();
    if (helper === null && canHelp && !isStarting) {
      isStarting = true;
      void startHelper(known).finally(() => (isStarting = false));
    }
    return helper;
  };
  /** Loaded when first needed: it is no part of a sandbox's start. */
  const startHelper = async (known: readonly CheckedKey[]): Promise<void> => {
    const { startSignatureHelper } = await import('./signature-helper');
    if (!canHelp) return;
    const pems = known.map(({ pem }) => pem);
    const started = startSignatureHelper(helperFile, pems, (failure) => {
      if (failure !== null) canHelp = false;
      if (helper === started) helper = null;
    });
    helper = started;
    helperKeys = known;
  };
  const stopHelper = (): void => {
    helper?.stop();
    helper = null;
  };

  /** Takes up what was asked in a turn. What a helper can look at is answered some turns later. */
  const begin = (): void => {
    const questions = asked;
    asked = [];
    const digests = questions.map(({ text, signature }) => ({ digest: digestHex(text), signature }));
    const known = keys();
    const board = questions.length < WORTH_SHARING ? null : (findHelper(known)?.board ?? null);
    const round = board?.publish(digests) ?? null;
    if (board === null || round === null) return tellAll(questions, digests.map(verifyWith(known)));
    if (groups.length === 0) setImmediate(look);
    groups.push({ questions, digests, keys: known, board, round, results: [], left: questions.length });
  };

  /**
   * Looks, once a turn, for groups that are done. Where the oldest is not after some turns, one signature of it is
   * verified here in each turn: what comes in need not wait for more.
   */
  const look = (): void => {
    for (let group = groups[0]; group !== undefined; group = groups[0]) {
      if (!group.board.isDone(group.round, group.left)) {
        if (turnsLeft === 0) takeLast(group);
        else turnsLeft -= 1;
        if (group.left > 0) return void setImmediate(look);
      }
      while (group.left > 0) takeLast(group);
      turnsLeft = HELPER_TURNS;
      groups.shift();
      end(group);
    }
  };

  const takeLast = (group: Group): void => {
    const index = (group.left -= 1);
    const { board, round, digests, results } = group;
    results[index] = board.take(round, index) ?? verifyWith(keys())(digests[index]!);
  };

  const end = ({ questions, digests, keys: shown, board, round, results }: Group): void => {
    board.end(round);
    const known = keys();
    // What was found with keys that have been replaced since counts for nothing.
    tellAll(questions, known === shown ? results : digests.map(verifyWith(known)));
  };

  return {
    verify(text, signature, tell) {
      if (asked.length === 0) setImmediate(begin);
      asked.push({ text, signature, tell });
    },
    close() {
      canHelp = false;
      stopHelper();
    },
  };
}

function verifyWith(keys: readonly CheckedKey[]): (signed: SignedDigest) => boolean {
  return ({ digest, signature }) => keys.some(({ key }) => verifyDigest(digest, signature, key));
}

function tellAll(questions: readonly Question[], results: readonly boolean[]): void {
  questions.forEach((question, index) => question.tell(results[index]!));
}
