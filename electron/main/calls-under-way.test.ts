import type { Reply } from '@shared/contract/define';
import { expect, it } from 'vitest';
import { countCalls } from './calls-under-way';

const answered: Reply<unknown> = { ok: true, value: {} };

it('tells of a call that sends or changes something once it lasts, and until it is answered', async () => {
  let now = 0;
  const answers: ((reply: Reply<unknown>) => void)[] = [];
  const calls = countCalls(
    { dispatch: () => new Promise((resolve) => void answers.push(resolve)) },
    () => now,
  );
  const sends = [calls.router.dispatch('sending.send', {}), calls.router.dispatch('sending.send', {})];
  now = 500;
  expect(calls.areAny()).toBe(false);
  now = 501;
  expect(calls.areAny()).toBe(true);
  answers[0]!(answered);
  expect(await sends[0]).toBe(answered);
  expect(calls.areAny()).toBe(true);
  answers[1]!(answered);
  await sends[1];
  expect(calls.areAny()).toBe(false);
});

it('tells of none that reads, opens another program or is unknown, and of none that failed', async () => {
  let now = 0;
  const failing = countCalls({ dispatch: () => Promise.reject(new Error('gone')) }, () => now);
  await expect(failing.router.dispatch('sending.send', {})).rejects.toThrow('gone');
  now = 10_000;
  expect(failing.areAny()).toBe(false);
  now = 0;
  const waiting = countCalls({ dispatch: () => new Promise(() => undefined) }, () => now);
  for (const method of ['inbox.list', 'app.openExternal', 'toString'])
    void waiting.router.dispatch(method, {});
  now = 10_000;
  expect(waiting.areAny()).toBe(false);
});
