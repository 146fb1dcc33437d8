import { usualSetup } from '@shared/contract/usual-setup';
import { expect, it } from 'vitest';
import { toDraft } from './environment-draft';
import { followSaved } from './follow-saved';

const over = {
  ...toDraft(null, null),
  variables: 'one = 1\ntwo = 2\nthree = 3',
  webhookStates: 'A = failed',
};

it('leaves of the values what others saved, changed and took away meanwhile, where it was not touched', () => {
  const typed = { variables: 'one = mine\ntwo = 2\nthree = 3\nfour = 4', over };
  const saved = { ...over, variables: 'one = theirs\nthree = 33\napi_secret = {{vault.api_secret}}' };
  expect(followSaved(typed, saved).variables).toBe(
    'one = mine\nthree = 33\nfour = 4\napi_secret = {{vault.api_secret}}',
  );
});

it('adds no empty line for values that are all gone', () => {
  expect(
    followSaved({ variables: over.variables + '\nfour = 4', over }, { ...over, variables: '' }).variables,
  ).toBe('four = 4');
});

it('takes a value away that was taken away here, and has one that both added as it is typed', () => {
  const typed = { variables: 'two = 2\nthree = 3\nnew = mine', over };
  const saved = { ...over, variables: 'one = 1\ntwo = 2\nthree = 3\nnew = theirs' };
  expect(followSaved(typed, saved).variables).toBe('two = 2\nthree = 3\nnew = mine');
});

it('leaves what is typed to the letter where nothing was saved meanwhile', () => {
  const variables = '\none = 1\n\none = 1\nhalf';
  expect(followSaved({ variables, over }, over).variables).toBe(variables);
});

it('merges the set-up value by value, and the states of webhooks line by line', () => {
  const { profile } = usualSetup;
  const typed = {
    webhookStates: 'A = failed\nB = failed',
    setup: { ...usualSetup, profile: { ...profile, tokenPath: '/mine' } },
    over,
  };
  const setup = {
    ...usualSetup,
    proxyUrl: 'http://theirs:1',
    profile: { ...profile, credentials: 'per_product' },
  };
  const saved = { ...over, webhookStates: 'A = failed\nC = canceled', setup } as typeof over;
  expect(followSaved(typed, saved)).toEqual({
    ...saved,
    webhookStates: 'A = failed\nB = failed\nC = canceled',
    setup: { ...setup, profile: { ...setup.profile, tokenPath: '/mine' } },
  });
});

it('takes what was not typed as it is saved', () => {
  const saved = { ...over, name: 'renamed', variables: 'now = 1' };
  expect(followSaved({ baseUrl: 'https://mine.example.com', over }, saved)).toEqual({
    ...saved,
    baseUrl: 'https://mine.example.com',
  });
});
