import { expect, it } from 'vitest';
import { chooseKey } from './proxy-selectors';

it('explains a signature that verifies by the key it verifies by, another one by the key that is given now', () => {
  expect(chooseKey({ signature: 'valid', publicKeyPem: 'own' }, 'given since')).toBe('own');
  expect(chooseKey({ signature: 'valid', publicKeyPem: null }, 'given')).toBe('given');
  expect(chooseKey({ signature: 'refused', publicKeyPem: 'own' }, 'given since')).toBe('given since');
  expect(chooseKey({ signature: 'refused', publicKeyPem: 'own' }, '')).toBe('own');
  expect(chooseKey({ signature: 'refused', publicKeyPem: null }, '')).toBe('');
});
