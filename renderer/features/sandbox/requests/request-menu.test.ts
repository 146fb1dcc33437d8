import type { SandboxRequest } from '@shared/contract/sandbox';
import { expect, it } from 'vitest';
import { listRequestActions } from './request-menu';

const request = { id: 'q', path: '/v1/x', reference: 'R-1', verdict: 'accepted' } as SandboxRequest;
const list = (change: Partial<SandboxRequest>) =>
  listRequestActions({ ...request, ...change }, () => undefined).map(({ label, isDisabled }) =>
    isDisabled ? `(${label})` : label,
  );

it('offers the journey and the reference of a request that names one, and explains a refused signature', () => {
  expect(list({})).toEqual(['Open', 'Open the journey', 'Copy the reference', 'Copy the address path']);
  expect(list({ verdict: 'signature' })[0]).toBe('Explain the signature');
  expect(list({ reference: null }).slice(1, 3)).toEqual(['(Open the journey)', '(Copy the reference)']);
});
