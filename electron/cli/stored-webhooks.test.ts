import { expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import type { Services } from '../services/create-services';
import { describeLine, readWebhooks } from './stored-webhooks';

type Listed = Parameters<typeof describeLine>[0];

it('writes a webhook on one line, and of what has no end its beginning', () => {
  const webhook = {
    id: '0an',
    receivedAt: 0,
    method: 'POST',
    path: '/h',
    status: 'SUCCESS',
    amount: '1000.00',
    clientReference: 'R\n1',
  } as Listed;
  expect(describeLine(webhook)).toBe('0an  1970-01-01T00:00:00.000Z  POST /h  SUCCESS 1000.00 R\\n1');
  const whole = 'x'.repeat(300);
  expect(describeLine({ ...webhook, clientReference: whole })).toContain(` ${whole}`);
  const endless = 'x'.repeat(299) + '😀'.repeat(100_000);
  const line = describeLine({
    ...webhook,
    path: `/${whole}`,
    status: endless,
    amount: null,
    clientReference: endless,
  });
  expect(line).toContain(`POST /${'x'.repeat(299)}…  ${'x'.repeat(299)}… ${'x'.repeat(299)}…`);
  expect(line.length).toBeLessThan(1000);
});

it('goes on past a webhook that was deleted after it was listed, and past no other failure', async () => {
  const call = (method: string, { id }: { id?: string }): Promise<unknown> => {
    if (method === 'inbox.list') {
      return Promise.resolve({ webhooks: [{ id: 'c' }, { id: 'b' }, { id: 'a' }], nextBefore: null });
    }
    if (id === 'b') return Promise.reject(new AppError(code, 'There is no webhook with this id.'));
    return Promise.resolve({ id });
  };
  const services = { router: { call } } as unknown as Services;
  const read = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    const all = readWebhooks(services, { limit: 9, search: '', filter: 'all' });
    for await (const one of all) found.push(one);
    return found;
  };
  let code: 'inbox.unknown' | 'worker.stopped' = 'inbox.unknown';
  expect(await read()).toEqual([{ id: 'c' }, null, { id: 'a' }]);
  code = 'worker.stopped';
  await expect(read()).rejects.toThrow(AppError);
});
