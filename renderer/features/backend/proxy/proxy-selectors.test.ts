import type { ProxyExchangeDetail } from '@shared/contract/proxy';
import { expect, it } from 'vitest';
import { chooseKey } from './proxy-selectors';

const judgedBy = (publicKeyPem: string | null) => ({ publicKeyPem }) as ProxyExchangeDetail['diagnosis'];

it('explains a signature that verifies by the key it verifies by, another one by the key that is given now', () => {
  expect(chooseKey({ signature: 'valid', diagnosis: judgedBy('own') }, 'given since')).toBe('own');
  expect(chooseKey({ signature: 'valid', diagnosis: null }, 'given')).toBe('given');
  expect(chooseKey({ signature: 'refused', diagnosis: judgedBy('own') }, 'given since')).toBe('given since');
  expect(chooseKey({ signature: 'refused', diagnosis: judgedBy('own') }, '')).toBe('own');
  expect(chooseKey({ signature: 'refused', diagnosis: null }, '')).toBe('');
});
