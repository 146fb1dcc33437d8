import { expect, it } from 'vitest';
import { formatEnvironmentId, isShared, readEnvironmentName } from './environment-id';
import { needsNameTyped } from './needs-name-typed';
import { usualProfile, usualSetup } from './usual-setup';

it('can be loaded, and has the methods of every area', async () => {
  // Here, so that what keeps it from being loaded is told by this test.
  const { contract } = await import('./contract');
  const areas = new Set(Object.keys(contract).map((method) => method.split('.')[0]));
  expect([...areas].sort().join(' ')).toBe(
    'app balances collections credentials data doctor environments forwarding golive history imports inbox ' +
      'journey keys listener lookups proxy receiver running sandbox sending settings signing team tokens ' +
      'tunnel updates vault webhooks',
  );
});

it.each([
  ['data', 'staging', false],
  ['run', 'staging', false],
  ['c1', 'staging', true],
  ['c1', 'a/b', true],
  ['c1', 'data/x', true],
  ['database', 'x', true],
])('tells whose the environment of %s, named %s, is', (place, name, shared) => {
  const id = formatEnvironmentId(place, name);
  expect(readEnvironmentName(id)).toBe(name);
  expect(isShared(id)).toBe(shared);
});

it.each(['local', '', 'staging', '/staging'])('takes %j for nobody else’s', (id) => {
  expect(isShared(id)).toBe(false);
});

it('reads a former id as the name that it was', () => {
  expect(readEnvironmentName('staging')).toBe('staging');
});

it('gives the environments of two places that have one name ids of their own', () => {
  const ids = ['data', 'run', 'c1', 'c2'].map((place) => formatEnvironmentId(place, 'staging'));
  expect(new Set(ids).size).toBe(4);
});

it.each([
  ['production', 'https://old.example.test', true],
  ['production', null, true],
  ['sandbox', null, true],
  ['sandbox', 'https://old.example.test', false],
  ['local', 'http://127.0.0.1:1', false],
] as const)('asks for the name of what is called %s and was at %s: %s', (kind, from, isAsked) => {
  expect(needsNameTyped({ kind }, { from, to: 'https://new.example.test' })).toBe(isAsked);
});

it('speaks to an environment of which nothing is said as our assumption on its token call (A1) has it', () => {
  expect(usualSetup.profile).toBe(usualProfile);
  expect(usualProfile.requestNames).toEqual({
    consumerKey: 'consumer_key',
    consumerSecret: 'consumer_secret',
    product: 'product',
  });
  expect(usualProfile.answerNames).toEqual({ accessToken: 'access_token', expiresIn: 'expires_in' });
  expect(usualProfile.tokenPath).toBe('/auth/v1/token');
  expect([usualSetup.proxyUrl, usualSetup.ca, usualSetup.clientCertificate].join('')).toBe('');
});
