import { expect, it } from 'vitest';
import { describeLine } from './stored-webhooks';

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
