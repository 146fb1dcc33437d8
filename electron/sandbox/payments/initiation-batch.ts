import { answerNothingKept, type Answer } from '../http/answers';
import type { GroupCommit } from '../store/group-commit';
import type { Payment, PaymentStore } from '../store/payment-store';
import { reportFailure } from '../http/report-failure';

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
  /** Called once the decision is on the disk, or nothing was kept; does not throw. */
  tell(answer: Answer): void;
}

/** Decides initiations in the order in which they came, those of one transaction together. */
export interface Admissions {
  /** @throws what the database says where no transaction can be begun; then `tell` is not called */
  admit(candidate: Candidate): void;
  /** Decides all that wait; called before the commit. */
  decideAll(): void;
  /** Drops what waits; called after a rollback, when all of them are told that nothing was kept. */
  forgetAll(): void;
}

/** The initiations of one transaction, and in the same order what was decided. */
interface Group {
  readonly candidates: Candidate[];
  readonly answers: Answer[];
}

/**
 * Makes the queue of initiations.
 *
 * One look-up of references and one insert serve all that share a transaction; what one of them takes (its
 * reference, its money) the next one sees.
 * @source design 5: duplicate, business rules, accepted
 */
export function createAdmissions(commit: GroupCommit, payments: PaymentStore): Admissions {
  let waiting: Group | null = null;

  const openGroup = (): Group => {
    const group: Group = { candidates: [], answers: [] };
    commit.write(() => (waiting = group));
    commit.afterCommit((failure) => tellAll(group, failure));
    return group;
  };

  return {
    admit(candidate) {
      (waiting ?? openGroup()).candidates.push(candidate);
    },
    decideAll() {
      if (waiting === null) return;
      const { candidates, answers } = waiting;
      waiting = null;
      const taken = new Set(payments.findTaken(candidates.map(({ reference }) => reference)));
      const accepted: Payment[] = [];
      for (const candidate of candidates) {
        const { reference } = candidate;
        const { answer, payment } = candidate.decide(taken.has(reference));
        answers.push({ ...answer, isDurable: true });
        if (payment === null) continue;
        taken.add(reference);
        accepted.push(payment);
      }
      payments.insertAll(accepted);
    },
    forgetAll() {
      waiting = null;
    },
  };
}

function tellAll({ candidates, answers }: Group, failure: Error | null): void {
  if (failure !== null) reportFailure(failure);
  const isKept = failure === null && answers.length === candidates.length;
  candidates.forEach((candidate, index) =>
    candidate.tell(isKept ? answers[index]! : { ...answerNothingKept(), isDurable: true }),
  );
}
