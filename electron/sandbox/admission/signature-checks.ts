import { digestHex, verifyDigest } from '../../platform/crypto/rsa-signatures';
import { HelperThread, type CheckedKey } from './helper-thread';
import type { Round, SignatureRingBuffer, SignedDigest } from './signature-ring-buffer';

interface Question {
  readonly text: string;
  readonly signature: Buffer;
  tell(isValid: boolean): void;
}

/** Signatures of one turn that the helper looks at, too; the keys that it knows. */
interface SharedGroup {
  readonly questions: readonly Question[];
  readonly digests: readonly SignedDigest[];
  readonly keys: readonly CheckedKey[];
  readonly ringBuffer: SignatureRingBuffer;
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
 * Verifies signatures, RSASSA-PKCS1-v1_5 with SHA-256, those of one turn of the event loop together.
 *
 * What one turn brings is checked in the next, one right after the other: with its code and tables in the cache a
 * verification takes half of what it takes between two other things. Under load a second thread goes through the same
 * signatures from the other end meanwhile; nothing waits for it.
 * @source payments-service-interface, part 5.5
 */
export class SignatureChecks {
  private asked: Question[] = [];
  /** Oldest first. */
  private readonly shared: SharedGroup[] = [];
  private turnsLeft = HELPER_TURNS;
  private readonly helper: HelperThread;

  /**
   * @param keys - those that count when a group is answered; another array after each change
   * @param helperFile - built entry of the second thread; where it cannot be started this one does all
   */
  constructor(
    private readonly keys: () => readonly CheckedKey[],
    helperFile: URL,
  ) {
    this.helper = new HelperThread(helperFile);
  }

  /** Tells whether one of the keys made this signature. @param signature - raw bytes */
  verify(text: string, signature: Buffer): Promise<boolean> {
    return new Promise((tell) => {
      if (this.asked.length === 0) setImmediate(this.begin);
      this.asked.push({ text, signature, tell });
    });
  }

  /** Ends the helper's thread. */
  close(): void {
    this.helper.stop();
  }

  /** Takes up what was asked in a turn. What the helper can look at is answered some turns later. */
  private readonly begin = (): void => {
    const questions = this.asked;
    this.asked = [];
    const digests = questions.map(({ text, signature }) => ({ digest: digestHex(text), signature }));
    const keys = this.keys();
    const ringBuffer = questions.length < WORTH_SHARING ? null : this.helper.findRingBuffer(keys);
    const round = ringBuffer?.publish(digests) ?? null;
    if (ringBuffer === null || round === null) return tellAll(questions, digests.map(verifyWith(keys)));
    if (this.shared.length === 0) setImmediate(this.look);
    this.shared.push({ questions, digests, keys, ringBuffer, round, results: [], left: questions.length });
  };

  /**
   * Looks, once a turn, for groups that are done. Where the oldest is not after some turns, one signature of it is
   * verified here in each turn: what comes in need not wait for more.
   */
  private readonly look = (): void => {
    for (let group = this.shared[0]; group !== undefined; group = this.shared[0]) {
      if (!group.ringBuffer.isDone(group.round, group.left)) {
        if (this.turnsLeft === 0) this.takeLast(group);
        else this.turnsLeft -= 1;
        if (group.left > 0) return void setImmediate(this.look);
      }
      while (group.left > 0) this.takeLast(group);
      this.turnsLeft = HELPER_TURNS;
      this.shared.shift();
      this.end(group);
    }
  };

  private takeLast(group: SharedGroup): void {
    const index = (group.left -= 1);
    const { ringBuffer, round, digests, results } = group;
    results[index] = ringBuffer.take(round, index) ?? verifyWith(this.keys())(digests[index]!);
  }

  private end({ questions, digests, keys: shown, ringBuffer, round, results }: SharedGroup): void {
    ringBuffer.end(round);
    const keys = this.keys();
    // What was found with keys that have been replaced since counts for nothing.
    tellAll(questions, keys === shown ? results : digests.map(verifyWith(keys)));
  }
}

function verifyWith(keys: readonly CheckedKey[]): (signed: SignedDigest) => boolean {
  return ({ digest, signature }) => keys.some(({ key }) => verifyDigest(digest, signature, key));
}

function tellAll(questions: readonly Question[], results: readonly boolean[]): void {
  questions.forEach((question, index) => question.tell(results[index]!));
}
