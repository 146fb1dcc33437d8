import { expect, it } from 'vitest';
import { trimVariables } from './trim-variables';

it('takes the line end off variables of ours, and nothing else', () => {
  const variables = {
    COUNTERSIGN_TOKEN: 'abc\n',
    COUNTERSIGN_CONSUMER_SECRET: 'a b \r\n',
    COUNTERSIGN_PASSPHRASE: ' two  words ',
    COUNTERSIGN_WEBHOOK_SECRET: 'one\ntwo\n',
    OTHER: 'kept\n',
  };
  trimVariables(variables);
  expect(variables).toEqual({
    COUNTERSIGN_TOKEN: 'abc',
    COUNTERSIGN_CONSUMER_SECRET: 'a b ',
    COUNTERSIGN_PASSPHRASE: ' two  words ',
    COUNTERSIGN_WEBHOOK_SECRET: 'one\ntwo',
    OTHER: 'kept\n',
  });
});
