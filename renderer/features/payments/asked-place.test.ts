import { expect, it } from 'vitest';
import { whyNotAsked } from './asked-place';

const uat = { id: 'data/uat', name: 'uat', label: 'UAT', baseUrl: 'https://two.test/v1' };
const sent = (environment: string, ...services: (string | null)[]) => ({
  environment,
  sentTo: services.map((service) => ({ environment, service })),
});

it('says before a status is asked that nobody would be: the environment has moved, or is gone', () => {
  expect(whyNotAsked(sent('data/uat', 'https://one.test'), null, [uat])).toBe(
    'It went to https://one.test, and “UAT” is at https://two.test now: ask by an environment that has the address it went to.',
  );
  expect(whyNotAsked(sent('data/uat', 'https://two.test'), 'https://one.test', [uat])).toContain(
    'https://one.test, and',
  );
  expect(whyNotAsked(sent('data/uat', 'https://one.test'), null, [{ ...uat, baseUrl: '' }])).toContain(
    'is nowhere now',
  );
  expect(whyNotAsked(sent('data/old', 'https://one.test'), null, [uat])).toBe(
    'There is no environment “old” any more: ask by one that has https://one.test.',
  );
});

it('says nothing where it would be asked: its own service, an address that nobody knows, the sandbox at another port', () => {
  expect(whyNotAsked(sent('data/uat', 'https://two.test'), null, [uat])).toBeNull();
  expect(whyNotAsked(sent('uat', 'https://two.test'), null, [uat])).toBeNull();
  expect(whyNotAsked(sent('data/uat', null), null, [uat])).toBeNull();
  expect(whyNotAsked(sent('data/uat', 'https://one.test'), null, [])).toBeNull();
  const local = { id: 'local', name: 'local', label: 'Local sandbox', baseUrl: 'http://127.0.0.1:2' };
  expect(whyNotAsked(sent('local', 'http://127.0.0.1:1'), null, [local])).toBeNull();
});
