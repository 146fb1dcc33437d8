import { expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import { usualSetup } from '@shared/contract/usual-setup';
import { listDistinct } from './environment-options';

const environment = (given: Partial<Environment>): Environment => ({
  id: 'c/UAT',
  name: 'UAT',
  label: 'UAT · Payroll',
  kind: 'sandbox',
  baseUrl: 'https://uat.example',
  variables: { currency: 'KES', amount: '1', base_url: 'https://uat.example', last_reference: 'R-1' },
  source: 'collection',
  keyId: null,
  hasCredentials: false,
  isActive: false,
  addressChange: null,
  setup: usualSetup,
  sealedParts: [],
  session: {},
  sharedNames: ['currency'],
  privateNames: [],
  ...given,
});
const own = environment({
  id: 'data/UAT',
  label: 'UAT',
  source: 'data',
  variables: { amount: '1', api_key: '{{vault.api_key}}', base_url: 'https://uat.example' },
});
const list = (...all: Environment[]): string[] => listDistinct(all).map(({ id }) => id);

it('lists once what an own environment has all of', () => {
  const other = environment({ id: 'd/UAT', label: 'UAT · Other' });
  expect(list(own, environment({}), other)).toEqual(['data/UAT']);
  expect(list({ ...own, name: 'UAT 2' }, environment({}))).toEqual(['data/UAT']);
  expect(listDistinct([own, environment({})], 'c/UAT')).toHaveLength(2);
});

it.each<[string, Partial<Environment>, Partial<Environment>?]>([
  ['is in use', { isActive: true }],
  ['is production', { kind: 'production' }],
  ['has a key', { keyId: 'k' }],
  ['has credentials', { hasCredentials: true }],
  ['has a password of its proxy', { sealedParts: ['proxyPassword'] }],
  ['has what is for another address', { addressChange: { from: null, to: 'https://uat.example' } }],
  ['has a value for this run', { session: { amount: '2' } }],
  ['has a proxy', { setup: { ...usualSetup, proxyUrl: 'http://p.example' } }],
  ['has values of a private file', { privateNames: ['amount'] }],
  ['has another address', { baseUrl: 'https://new.example' }],
  ['has another name', { name: 'Live' }],
  ['has another value', { variables: { amount: '2' } }],
  ['has a variable more', { variables: { amount: '1', page: '1' } }],
  [
    'shares another value now',
    { variables: { currency: 'USD' } },
    { variables: { ...own.variables, currency: 'KES' } },
  ],
  [
    'has webhooks sent elsewhere',
    { variables: { callback_url: 'https://h.example' } },
    { variables: { ...own.variables, callback_url: 'http://127.0.0.1:4020' } },
  ],
  ['is a collection’s, as the other is', {}, { source: 'collection' }],
])('lists one of a collection beside it that %s', (_what, given, ofOwn = {}) => {
  expect(list({ ...own, ...ofOwn }, environment(given))).toHaveLength(2);
});
