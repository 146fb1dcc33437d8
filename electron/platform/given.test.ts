import { afterEach, expect, test, vi } from 'vitest';
import { createNodePorts } from './node-ports';

afterEach(() => vi.unstubAllEnvs());

test('the app takes no credentials of the shell that started it: its vault and its own sandbox know none of them', () => {
  vi.stubEnv('COUNTERSIGN_CONSUMER_KEY', 'ck_trial');
  vi.stubEnv('COUNTERSIGN_CONSUMER_SECRET', 'cs_trial');
  vi.stubEnv('COUNTERSIGN_TOKEN', 'token-of-another-service');
  vi.stubEnv('COUNTERSIGN_WEBHOOK_SECRET', 'whsec_AAAA');
  const { given } = createNodePorts({ host: 'web', dataDirectory: null, version: '' });
  expect(given).toMatchObject({ credentials: null, token: null, webhookKeys: [] });
});
