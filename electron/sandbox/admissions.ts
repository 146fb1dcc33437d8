import { answerEnvelope, type Answer } from './answers';
import type { GroupCommit } from './group-commit';
import type { Payment, PaymentStore } from './payment-store';
import { reportFailure } from './report-failure';

/** What became of an initiation; a payment where it was accepted. */
export interface Decision {
  readonly answer: Answer;
  readonly payment: Payment | null;
}

/** An initiation of which everything was checked that its own request can tell. */
export interface Candidate {
  readonly reference: string;
  /** Decides in its turn, inside the transaction. @param isTaken - whether an earlier payment has the reference */
  decide(isTaken: boolean): Decision;
}

/** Decides initiations in the order in which they came, those of one transaction together. */
export interface Admissions {
  /** Resolves once the decision is on the disk. */
  admit(candidate: Candidate): Promise<Answer>;
  /** Decides all that wait; called before the commit. */
  decideAll(): void;
  /** Drops what waits; called after a rollback, when all of them are told that nothing was kept. */
  forgetAll(): void;
}

interface Entry {
  readonly candidate: Candidate;
  answer: Answer | null;
}

/**
 * Makes the queue of initiations.
 *
 * One look-up of references and one insert serve all that share a transaction; what one of them takes (its
 * reference, its money) the next one sees.
 * @source design 5: duplicate, business rules, accepted
 */
export function createAdmissions(commit: GroupCommit, payments: PaymentStore): Admissions {
  let waiting: Entry[] = [];
  return {
    admit: (candidate) =>
      new Promise((resolve) => {
        const entry: Entry = { candidate, answer: null };
        commit.write(() => waiting.push(entry));
        commit.afterCommit((failure) => resolve(readOutcome(entry, failure)));
      }),
    decideAll() {
      const entries = waiting;
      waiting = [];
      if (entries.length === 0) return;
      const taken = new Set(payments.findTaken(entries.map(({ candidate }) => candidate.reference)));
      const accepted: Payment[] = [];
      for (const entry of entries) {
        const { reference } = entry.candidate;
        const { answer, payment } = entry.candidate.decide(taken.has(reference));
        entry.answer = { ...answer, isDurable: true };
        if (payment === null) continue;
        taken.add(reference);
        accepted.push(payment);
      }
      payments.insertAll(accepted);
    },
    forgetAll() {
      waiting = [];
    },
  };
}

function readOutcome({ answer }: Entry, failure: Error | null): Answer {
  if (failure === null && answer !== null) return answer;
  reportFailure(failure);
  const nothingKept = 'Internal server error: nothing was kept. Send it again.';
  return { ...answerEnvelope('internal', 'error', nothingKept), isDurable: true };
}
