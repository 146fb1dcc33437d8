import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { openServices } from '../../../test/support/open-services';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createHistoryService } from '../history/create-history-service';

it('tells of a payment what was sent and received where what the sandbox keeps cannot be read', async () => {
  const folder = makeTemporaryFolder('journey-damaged');
  const services = openServices(folder);
  const { ports, events } = services;
  const history = createHistoryService({ ports: { ...ports, dataDirectory: folder }, events });
  history.begin(
    {
      id: history.nextId(),
      environment: 'local',
      operation: 'payout',
      identity: null,
      title: 'Pay',
      sentAt: 1,
      reference: 'R-1',
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:9/',
        headers: [],
        body: null,
        stringToSign: null,
        signature: null,
        keyFingerprint: null,
        spans: [],
      },
      response: null,
      timings: null,
      reading: null,
      error: null,
    } satisfies Exchange,
    null,
  );
  await history.close();
  writeFileSync(join(folder, 'sandbox.db'), 'no database '.repeat(100));
  const told = await services.router.call('journey.get', { reference: 'R-1' });
  expect(told.events.map(({ kind }) => kind)).toContain('sent');
  expect(told).not.toHaveProperty('undelivered');
  await services.close();
});
