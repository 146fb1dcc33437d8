import { expect, it } from 'vitest';
import type { ProxyExchangeDetail } from '@shared/contract/proxy';
import { chooseKey, describeExchange, describeSaid } from './proxy-selectors';

it('explains a signature that verifies by the key it verifies by, another one by the key that is given now', () => {
  expect(chooseKey({ signature: 'valid', publicKeyPem: 'own' }, 'given since')).toBe('own');
  expect(chooseKey({ signature: 'valid', publicKeyPem: null }, 'given')).toBe('given');
  expect(chooseKey({ signature: 'refused', publicKeyPem: 'own' }, 'given since')).toBe('given since');
  expect(chooseKey({ signature: 'refused', publicKeyPem: 'own' }, '')).toBe('own');
  expect(chooseKey({ signature: 'refused', publicKeyPem: null }, '')).toBe('');
});

it('calls a payment that was ignored as a duplicate none with which nothing is wrong, though it was answered 200', () => {
  const paid = (code: string) =>
    ({
      reason: null,
      signature: 'valid',
      httpStatus: 200,
      token: null,
      problemCount: 0,
      operation: 'payout',
      answer: {
        body: `{"status":"200.100","code":"${code}","description":"d"}`,
        isCut: false,
        sizeBytes: 60,
      },
    }) as never as ProxyExchangeDetail;
  expect(describeSaid(paid('REJECTED'))).toBe('The service said: REJECTED: d');
  expect(describeExchange(paid('REJECTED')).text).toContain('as far as it is looked at here');
  expect(describeSaid(paid('ACCEPTED'))).toBeNull();
  expect(describeExchange(paid('ACCEPTED')).text).toBe('Nothing is wrong with it.');
});
