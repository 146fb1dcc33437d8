import { expect, it } from 'vitest';
import { findOtherSignature } from './other-signature';

it.each([
  'X-Hub-Signature-256',
  'Stripe-Signature',
  'x-hmac-sha256',
  'Signature',
  'X_Signature',
  'X-Pay-HMAC',
])('finds the signature of another scheme in %s', (name) => {
  expect(
    findOtherSignature([
      ['Host', 'x'],
      [name, 'abc'],
    ]),
  ).toBe(name);
});

it.each([
  ['webhook-signature', 'v1,AAAA'],
  ['X-Custom-Signature', 'AAAA'],
  ['Signature-Input', 'sig1=("@method")'],
  ['X-Signature-Version', '1'],
  ['x-signature-algorithm', 'RSA-SHA256'],
  ['X-Signature-Timestamp', '1795787195'],
  ['Signature-Key-Id', 'key-1'],
  ['X-Signature', '  '],
  ['X-Assignature', 'abc'],
  ['X-Signatures-Seen', '3'],
])('takes no %s for one of another scheme', (name, value) => {
  expect(findOtherSignature([[name, value]])).toBeNull();
});
