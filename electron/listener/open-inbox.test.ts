import { copyFileSync, existsSync, readFileSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AppError } from '@shared/errors';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { openDatabase } from '../platform/database/database';
import { inboxMigrations } from './inbox-schema';
import { openInbox, type Inbox } from './open-inbox';
import type { PendingWebhook } from './webhook-server';

/** A webhook that notes what it was answered with. */
function makePending(answers: number[], body = `{"pad":"${'x'.repeat(3000)}"}`): PendingWebhook {
  return {
    head: Buffer.from('POST /webhooks HTTP/1.1\r\n\r\n'),
    body: Buffer.from(body),
    receivedAt: Date.now(),
    respondedStatus: 200,
    remoteAddress: '127.0.0.1',
    rule: null,
    fullBytes: null,
    startedAtMs: performance.now(),
    delayMs: 0,
    keep: () => void answers.push(200),
    refuse: (status: number) => void answers.push(status),
  } as unknown as PendingWebhook;
}

it('refuses webhooks where its log was cut short, though the index would have grown it again', () => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const inbox = openInbox({ file });
  const answers: number[] = [];
  for (let left = 5; left > 0; left--) inbox.accept([makePending(answers)]);
  truncateSync(`${file}-wal`, 9000);
  for (let turn = 0; turn < 20; turn++)
    expect(() => inbox.markRead([1], turn % 2 === 0)).toThrow('lost the end');
  inbox.accept([makePending(answers)]);
  expect(answers).toEqual([200, 200, 200, 200, 200, 503]);
  inbox.close();
});

it('marks a webhook read before it is indexed, and none that has not come yet', async () => {
  const ids: number[] = [];
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const inbox = openInbox({ file, onCommit: (batch) => void ids.push(...batch.ids) });
  const accept = (): void => inbox.accept([makePending([])]);
  accept();
  expect(inbox.markRead([ids[0]!, ids[0]! + 1], true)).toBe(1);
  accept();
  await inbox.whenIndexed();
  const database = openDatabase({ file, migrations: inboxMigrations });
  const read = database.prepare('SELECT id, is_read FROM webhooks ORDER BY id').all();
  database.close();
  inbox.close();
  expect(read).toEqual([
    { id: ids[0], is_read: 1 },
    { id: ids[1], is_read: 0 },
  ]);
});

/** What SQLite says of the files as a killed process would leave them now. */
function checkCopy(file: string): unknown {
  const copy = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  const database = openDatabase({ file: copy, migrations: inboxMigrations });
  database.exec("INSERT INTO webhook_text (webhook_text) VALUES ('integrity-check')");
  const { integrity_check: said } = database.prepare('PRAGMA integrity_check').get() as Record<
    string,
    unknown
  >;
  database.close();
  return said;
}

it('leaves no pieces of a deleted webhook in its search', async () => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const ids: number[] = [];
  const inbox = openInbox({ file, onCommit: (batch) => void ids.push(...batch.ids) });
  for (const name of ['first', 'qzj', 'last']) inbox.accept([makePending([], `{"name":"${name}"}`)]);
  await inbox.whenIndexed();
  inbox.deleteWebhooks([ids[1]!]);
  inbox.close();
  expect(readFileSync(file, 'latin1')).not.toContain('qzj');
});

it('takes out of its search what is older than what is kept', async () => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const inbox = openInbox({ file });
  for (const name of ['qzj', 'last']) inbox.accept([makePending([], `{"name":"${name}"}`)]);
  await inbox.whenIndexed();
  inbox.setRetention({ count: 1, ageMs: null, sizeBytes: null });
  await expect.poll(() => hasPiece(file, 'qzj')).toBe(false);
  inbox.close();
});

it('takes out of its search what an earlier process deleted', async () => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const ids: number[] = [];
  const first = openInbox({ file, onCommit: (batch) => void ids.push(...batch.ids) });
  for (const name of ['qzj', 'last']) first.accept([makePending([], `{"name":"${name}"}`)]);
  await first.whenIndexed();
  first.close();
  const database = openDatabase({ file, migrations: inboxMigrations });
  database.prepare('DELETE FROM webhook_text WHERE rowid = ?').run([ids[0]!]);
  database.close();
  expect(hasPiece(file, 'qzj')).toBe(true);
  const next = openInbox({ file });
  await expect.poll(() => hasPiece(file, 'qzj')).toBe(false);
  next.close();
});

/** Whether the search index has three letters, as it is in the file and the log beside it. */
function hasPiece(file: string, letters: string): boolean {
  const database = openDatabase({ file, migrations: inboxMigrations });
  const { count } = database
    .prepare('SELECT count(*) AS count FROM webhook_text_data WHERE instr(block, CAST(? AS BLOB)) > 0')
    .get([letters]) as { count: number };
  database.close();
  return count > 0;
}

it.each([
  ['one by one', (_inbox: Inbox, ids: number[]) => ids],
  ['all at once', () => 'all' as const],
])('leaves nothing in its files of webhooks that were deleted %s', async (_how, choose) => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const ids: number[] = [];
  const inbox = openInbox({ file, onCommit: (batch) => void ids.push(...batch.ids) });
  const findMarked = (): string[] =>
    [file, `${file}-wal`].flatMap((one) =>
      existsSync(one) ? (readFileSync(one, 'latin1').match(/amina[\w-]{0,20}/gi) ?? []) : [],
    );
  for (let left = 60; left > 0; left--) {
    const transaction = {
      reference: `Amina-reference-${left}`,
      note: `Amina-${'x'.repeat(left * 200)}-Amina`,
    };
    inbox.accept([makePending([], JSON.stringify({ transaction }))]);
  }
  await inbox.whenIndexed();
  await inbox.mark(ids, { note: 'Amina of the note' });
  await inbox.mark(ids, { note: '' });
  expect(findMarked()).not.toEqual([]);
  expect(inbox.deleteWebhooks(choose(inbox, ids))).toBe(60);
  expect(findMarked()).toEqual([]);
  expect(checkCopy(file)).toBe('ok');
  inbox.accept([makePending([])]);
  inbox.close();
  expect(findMarked()).toEqual([]);
});

it('answers 503 while its folder is away, makes no other, and receives again once it is back', () => {
  const folder = makeTemporaryFolder('open-inbox');
  const problems: (string | null)[] = [];
  const onProblem = (problem: AppError | null): void => void problems.push(problem?.message ?? null);
  const inbox = openInbox({ file: join(folder, 'inbox.db'), onProblem });
  const answers: number[] = [];
  const accept = (): void => inbox.accept([makePending(answers)]);
  accept();
  renameSync(folder, `${folder}-away`);
  accept();
  expect(existsSync(folder)).toBe(false);
  renameSync(`${folder}-away`, folder);
  accept();
  inbox.close();
  expect(answers).toEqual([200, 503, 200]);
  expect(problems).toEqual([expect.stringContaining('was moved, removed or unmounted'), null]);
});

it('tells that its folder has gone, and that it is back, though nothing is received', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const folder = makeTemporaryFolder('open-inbox');
  const problems: (string | null)[] = [];
  const onProblem = (problem: AppError | null): void => void problems.push(problem?.code ?? null);
  const inbox = openInbox({ file: join(folder, 'inbox.db'), onProblem });
  renameSync(folder, `${folder}-away`);
  vi.advanceTimersByTime(6000);
  renameSync(`${folder}-away`, folder);
  vi.advanceTimersByTime(6000);
  inbox.close();
  expect(problems).toEqual(['listener.unwritable', null]);
});

it('tells that webhooks can be stored again, once they can, though none is received', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const problems: (string | null)[] = [];
  const inbox = openInbox({ file, onProblem: (problem) => void problems.push(problem?.code ?? null) });
  const other = openDatabase({ file, migrations: inboxMigrations });
  other.exec('ALTER TABLE arrivals RENAME TO away');
  const answers: number[] = [];
  inbox.accept([makePending(answers)]);
  vi.advanceTimersByTime(6000);
  expect([answers, problems]).toEqual([[503], ['listener.not_stored']]);
  other.exec('ALTER TABLE away RENAME TO arrivals');
  vi.advanceTimersByTime(6000);
  expect(problems).toEqual(['listener.not_stored', null]);
  inbox.accept([makePending(answers)]);
  expect(answers).toEqual([503, 200]);
  expect(other.prepare('SELECT count(*) AS n FROM arrivals').get()).toEqual({ n: 1 });
  inbox.close();
  other.close();
});

it('tells once what is wrong while the index cannot be written, and that it can again', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const problems: (string | null)[] = [];
  const inbox = openInbox({ file, onProblem: (problem) => void problems.push(problem?.code ?? null) });
  const other = openDatabase({ file, migrations: inboxMigrations });
  other.exec('ALTER TABLE webhook_values RENAME TO away');
  inbox.accept([makePending([])]);
  vi.advanceTimersByTime(20_000);
  expect(problems).toEqual(['listener.not_stored']);
  other.exec('ALTER TABLE away RENAME TO webhook_values');
  vi.advanceTimersByTime(6000);
  expect(problems).toEqual(['listener.not_stored', null]);
  inbox.close();
  other.close();
});

it('is told of what another process receives, marks and deletes, and not of what it does itself', async () => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const other = openInbox({ file });
  await other.whenIndexed();
  const told: { count: number; bodies: string[] }[] = [];
  const ids: number[] = [];
  const inbox = openInbox({
    file,
    onCommit: (batch) => void ids.push(...batch.ids),
    onElsewhere: ({ count, newest }) =>
      void told.push({ count, bodies: newest.map(({ body }) => body.toString()) }),
  });
  onTestFinished(() => {
    inbox.close();
    other.close();
  });
  inbox.accept([makePending([], 'own 1')]);
  await inbox.whenIndexed();
  await wait(1500);
  expect(told).toEqual([]);

  other.accept([makePending([], 'theirs 1')]);
  inbox.accept([makePending([], 'own 2')]);
  other.accept([makePending([], 'theirs 2')]);
  await vi.waitFor(() => expect(told).not.toEqual([]), 5000);
  expect(told.flatMap(({ bodies }) => bodies)).toEqual(['theirs 1', 'theirs 2']);
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(2);

  await other.whenIndexed();
  for (const act of [() => other.mark(ids, { isPinned: true }), () => other.deleteWebhooks([ids[0]!])]) {
    await wait(1500);
    told.length = 0;
    await act();
    await vi.waitFor(() => expect(told).not.toEqual([]), 5000);
    expect(told.every(({ count }) => count === 0)).toBe(true);
  }
}, 30_000);

it('is told of a burst of another process as one, with the newest of it', async () => {
  const file = join(makeTemporaryFolder('open-inbox'), 'inbox.db');
  const other = openInbox({ file });
  const told: { count: number; lengths: number[] }[] = [];
  const inbox = openInbox({
    file,
    onElsewhere: ({ count, newest }) =>
      void told.push({ count, lengths: newest.map(({ body }) => body.length) }),
  });
  onTestFinished(() => {
    inbox.close();
    other.close();
  });
  other.accept(Array.from({ length: 300 }, () => makePending([], 'x')));
  await vi.waitFor(() => expect(told.map(({ count }) => count)).toContain(300), 5000);
  expect(told.find(({ count }) => count === 300)!.lengths).toHaveLength(100);
  told.length = 0;
  other.accept(Array.from({ length: 20 }, () => makePending([], 'x'.repeat(1_000_000))));
  await vi.waitFor(() => expect(told.map(({ count }) => count)).toContain(20), 5000);
  expect(told.find(({ count }) => count === 20)!.lengths).toHaveLength(8);
}, 30_000);
