import { expect, test } from 'vitest';
import { createAdmissions, type Decision } from './initiation-batch';
import { answerJson, type Answer } from '../http/answers';
import type { GroupCommit } from '../store/group-commit';
import type { Payment, PaymentStore } from '../store/payment-store';

/** A commit that ends when it is told to, and a store that knows one reference. */
function open() {
  const told: ((failure: Error | null) => void)[] = [];
  const inserted: string[] = [];
  const commit = {
    write: (work: () => unknown) => work(),
    afterCommit: (run: (failure: Error | null) => void) => void told.push(run),
  } as unknown as GroupCommit;
  const payments = {
    findTaken: (references: readonly string[]) => references.filter((one) => one === 'old'),
    insertAll: (all: readonly Payment[]) => void inserted.push(...all.map(({ reference }) => reference)),
  } as unknown as PaymentStore;
  const admissions = createAdmissions(commit, payments);
  const decide =
    (reference: string) =>
    (isTaken: boolean): Decision =>
      isTaken
        ? { answer: answerJson(200, 'taken', 'duplicate'), payment: null }
        : { answer: answerJson(201, 'new', 'accepted'), payment: { reference } as Payment };
  return {
    admit: (reference: string) =>
      new Promise<Answer>((tell) => admissions.admit({ reference, decide: decide(reference), tell })),
    admissions,
    inserted,
    end: (failure: Error | null) => told.splice(0).forEach((tell) => tell(failure)),
  };
}

test('a reference is taken by an earlier payment and by an earlier one of the same commit', async () => {
  const { admit, admissions, inserted, end } = open();
  const answers = ['old', 'a', 'a', 'b'].map(admit);
  admissions.decideAll();
  end(null);
  const results = await Promise.all(answers);
  expect(results.map(({ verdict }) => verdict)).toEqual(['duplicate', 'accepted', 'duplicate', 'accepted']);
  expect(results.every(({ isDurable }) => isDurable)).toBe(true);
  expect(inserted).toEqual(['a', 'b']);
});

test('where the commit fails nobody is told of success, and nothing is decided later', async () => {
  const { admit, admissions, inserted, end } = open();
  const answer = admit('a');
  admissions.decideAll();
  admissions.forgetAll();
  end(new Error('disk full'));
  expect(await answer).toMatchObject({ httpStatus: 500, verdict: 'error' });
  inserted.length = 0;
  admissions.decideAll();
  expect(inserted).toEqual([]);
});

test('what waits when a transaction is undone is forgotten', async () => {
  const { admit, admissions, inserted, end } = open();
  const answer = admit('a');
  admissions.forgetAll();
  end(new Error('another write failed'));
  expect((await answer).verdict).toBe('error');
  admissions.decideAll();
  expect(inserted).toEqual([]);
});
