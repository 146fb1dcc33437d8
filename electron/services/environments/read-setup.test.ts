import { expect, it } from 'vitest';
import { environmentSetup } from '@shared/contract/environment-setup';
import { usualSetup } from '@shared/contract/usual-setup';
import { readSetup } from './read-setup';

const setup = {
  ...usualSetup,
  pathForm: 'api',
  proxyUrl: 'http://127.0.0.1:3128',
  proxyUser: 'ann',
  ca: 'PEM',
  clientCertificate: 'PEM',
  profile: {
    tokenPath: '/token',
    requestNames: { consumerKey: 'key', consumerSecret: 'secret', product: '' },
    answerNames: { accessToken: 'data.token', expiresIn: 'data.expires' },
    expiresInUnit: 'milliseconds',
    credentials: 'per_product',
    webhookStates: { SETTLED: 'succeeded' },
  },
};

it('reads what was set', () => {
  expect(readSetup(JSON.parse(JSON.stringify(setup)))).toEqual(setup);
});

it.each([undefined, null, 'x', [], 7, { profile: [] }])('takes %j for nothing that was said', (given) => {
  expect(readSetup(given)).toEqual(usualSetup);
});

/** The same with each text in the place of every other, however deep. */
const withTexts = (value: unknown, text: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return text;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, text)]));
};

it.each([7, null, 'x'.repeat(300_000)])('takes a member for unsaid that a hand has made %.10s', (text) => {
  expect(readSetup(withTexts(setup, text))).toEqual(usualSetup);
});

it('gives what can be shown and set again, whatever stands in the settings', () => {
  const given = {
    ...setup,
    profile: { ...setup.profile, webhookStates: { ['S'.repeat(61)]: 'failed', PAID: 'succeeded' } },
  };
  const read = readSetup(given);
  expect(environmentSetup.parse(read)).toEqual(read);
  expect(read.profile.webhookStates).toEqual({ PAID: 'succeeded' });
});
