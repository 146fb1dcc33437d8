import { expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import type { Agent } from './agent';
import { inboxTools } from './inbox-tools';

it('waits on where the webhook that it found was deleted before it was read', async () => {
  const listed = [['b'], ['a']];
  const call = (method: string, { id }: { id?: string }): Promise<unknown> => {
    if (method === 'inbox.list') {
      const webhooks = (listed.shift() ?? []).map((each) => ({ id: each }));
      return Promise.resolve({ webhooks, nextBefore: null });
    }
    return id === 'b'
      ? Promise.reject(new AppError('inbox.unknown', 'There is no webhook with this id.'))
      : Promise.reject(new AppError('worker.stopped', `It read ${id}.`));
  };
  const services = { ports: { dataDirectory: '/data' }, router: { call } };
  const wait = inboxTools.find(({ name }) => name === 'wait_for_webhook')!;
  const given = { reference: 'r', within_seconds: 20 };
  const waited = wait.run({ services } as unknown as Agent, given as never, {
    signal: new AbortController().signal,
  });
  await expect(waited).rejects.toThrow('It read a.');
});
