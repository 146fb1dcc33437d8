import { expect, it } from 'vitest';
import { makeAdminToken } from '../../sandbox/tenants/tenant-list';
import { createSecretHiding, fitAnswer } from './fit-answer';

it('masks a secret in whatever it comes back as: a name, a number, a value', () => {
  const secret = 'cs_given_0123456789abcdef';
  const hide = createSecretHiding({ COUNTERSIGN_CONSUMER_SECRET: secret, COUNTERSIGN_TOKEN: '4711471147' });
  const text = fitAnswer(
    { a: [{ [secret]: 1, [`x-${secret}`]: { b: secret } }], n: 4711471147, amount: 1000, token: 123456 },
    hide,
  );
  expect(text).not.toMatch(/0123456789|4711|123456/);
  expect(JSON.parse(text)).toMatchObject({ a: [{ 'cs_g…cdef': 1 }], amount: 1000 });
});

it('masks the admin token of a tenant wherever a stranger writes it', () => {
  const { adminToken } = makeAdminToken();
  const text = fitAnswer({ body: `log: ${adminToken}, and so on` }, createSecretHiding({}));
  expect(text).not.toContain(adminToken);
  expect(text).toContain('and so on');
});
