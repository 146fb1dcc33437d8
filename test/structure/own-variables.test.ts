import { expect, it } from 'vitest';
import { dropProductVariables } from '../support/own-variables';

it('keeps keys and addresses of whoever runs the tests from what they start, and what tests are told by', () => {
  const environment = {
    PATH: '/bin',
    COUNTERSIGN_CONSUMER_KEY: 'ck',
    COUNTERSIGN_TOKEN: 't',
    countersign_base_url: 'https://x.example',
    COUNTERSIGN_TEST_CHROMIUM: '/usr/bin/chromium',
    COUNTERSIGN_MALFORMED_CALLS: '9',
  };
  dropProductVariables(environment);
  expect(Object.keys(environment)).toEqual([
    'PATH',
    'COUNTERSIGN_TEST_CHROMIUM',
    'COUNTERSIGN_MALFORMED_CALLS',
  ]);
});

it('is so in this very run', () => {
  const names = Object.keys(process.env).filter((name) => /^COUNTERSIGN_(?!TEST_)/.test(name));
  expect(
    names.filter((name) => !/LOOSE_ERRORS|MALFORMED_CALLS|STORE_WEBHOOKS|WRITE_DOCS/.test(name)),
  ).toEqual([]);
});
