import { expect, it } from 'vitest';
import { adviseOnVariable, describeUnresolved } from './describe-unresolved';

it('sends nobody with a secret into a file that others read', () => {
  expect(adviseOnVariable('consumer_secret')).toMatch(/vault seals it.*--var consumer_secret=VALUE$/);
  expect(adviseOnVariable('consumer_secret')).not.toContain('in the file');
  expect(adviseOnVariable('currency')).toContain('in the file (@currency = …)');
  expect(adviseOnVariable('callback_url')).toMatch(/--callback-url URL$/);
});

it('says why an earlier request did not capture what is missing, or how it is given', () => {
  const missed = new Map([['payment', "'Pay' was to capture payment, but its answer has none."]]);
  expect(describeUnresolved(['payment'], { missed }).message).toBe(
    "Nobody gave {{payment}}. 'Pay' was to capture payment, but its answer has none.",
  );
  expect(describeUnresolved(['other'], { missed }).message).toMatch(
    /^Nobody gave \{\{other\}\}\. .*--var other=VALUE/,
  );
});
