import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createHistoryService } from '../history/create-history-service';
import { createJourneyService } from './create-journey-service';

it('waits for the answer of a payment until the app ends that sent it: then nobody knows whether it was taken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  const events = createEventBus();
  const logger = { log: () => undefined };
  const ports = { clock: systemClock, random: systemRandom, logger, dataDirectory: folder };
  const open = () => createHistoryService({ ports, events });
  const read = async (history: ReturnType<typeof open>) => {
    const inbox = { findByPayment: async () => [], findByText: async () => [] };
    const team = { findByPayment: async () => ({ webhooks: [], unasked: [] }) };
    const journey = createJourneyService({ history, events, inbox, team, environments: { list: () => [] } });
    const { summary, events: timeline } = await journey.handlers['journey.get']({ reference: 'R-1' });
    return [summary.track.accepted, ...timeline.map(({ title }) => title)];
  };
  const first = open();
  const request = { method: 'POST', url: 'http://x/', headers: [], body: '{}', signature: 'c2ln' };
  const sent = {
    id: first.nextId(),
    environment: 'local',
    operation: 'payout',
    identity: null,
    title: 'Pay',
  };
  const nothing = { response: null, timings: null, reading: null, error: null };
  first.begin({ ...sent, ...nothing, sentAt: 1, reference: 'R-1', request } as unknown as Exchange, 'payout');
  expect(await read(first)).toEqual(['waiting', 'Signed and sent']);
  first.close();
  const second = open();
  expect(await read(second)).toEqual(['unknown', 'Signed and sent', 'Outcome unknown: No answer is known']);
  second.close();
  rmSync(folder, { recursive: true });
});
