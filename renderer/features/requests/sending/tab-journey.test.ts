import type { Journey } from '@shared/contract/journey';
import { AppError } from '@shared/errors';
import { beforeEach, expect, it, vi } from 'vitest';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { makeExchange, startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { askTabStatus, followJourneys, sendRequest, showAttempt, showRequest } from './sending-actions';

const text = `# @operation remittance
POST {{base_url}}/payments/v1/remittance

{"transaction":{"reference":"R-1","amount":1000,"service_code":"S"},"originator":{"country":"KE"}}
`;
const active = () => selectActiveTab(useRequestsStore.getState())!;
const journeyIn = (state: string) => ({ summary: { state }, events: [], unasked: [] }) as unknown as Journey;

let fake: ReturnType<typeof startFakeBackEnd>;

beforeEach(async () => {
  fake = startFakeBackEnd(
    { 'a.http': text },
    {
      'sending.send': () => makeExchange(),
      'journey.get': () => journeyIn('initiated'),
      'history.list': () => ({ exchanges: [], nextBefore: null }),
    },
  );
  await openRequest('a.http');
  await sendRequest(active().id);
});

it('leaves the error of a status query to the answer that it asked about', async () => {
  let refuse = (_reason: Error): void => undefined;
  fake.handlers['lookups.status'] = () => new Promise((_resolve, reject) => (refuse = reject));
  const asking = askTabStatus(active().id);
  await vi.waitFor(() => expect(fake.calls.at(-1)?.method).toBe('lookups.status'));
  await showRequest(active().id, 1);
  refuse(new AppError('sending.other_service', 'Another service answers there.'));
  await asking;
  expect(active()).toMatchObject({ exchange: null, sendError: null });
});

it('shows the reading of a journey that was asked for last, in whatever order they come', async () => {
  const answers: ((state: string) => void)[] = [];
  fake.handlers['journey.get'] = () =>
    new Promise((resolve) => answers.push((state) => resolve(journeyIn(state))));
  const readings = [followJourneys(['R-1']), followJourneys(['R-1'])];
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]!('succeeded');
  await readings[1];
  answers[0]!('initiated');
  await readings[0];
  expect(active().journey?.summary.state).toBe('succeeded');
});

it('shows no earlier attempt under another request that was chosen while it was read', async () => {
  let answer = (): void => undefined;
  fake.handlers['history.get'] = () =>
    new Promise((resolve) => (answer = () => resolve(makeExchange({ id: 'earlier' }))));
  for (const [request, shown] of [
    [0, 'earlier'],
    [1, undefined],
  ] as const) {
    const showing = showAttempt(active().id, 'earlier');
    await vi.waitFor(() => expect(fake.calls.at(-1)?.method).toBe('history.get'));
    if (request === 1) await showRequest(active().id, 1);
    answer();
    await showing;
    expect(active().exchange?.id).toBe(shown);
  }
});

it('shows of several earlier attempts the one chosen last, whichever is read first', async () => {
  const answers: (() => void)[] = [];
  fake.handlers['history.get'] = ({ id }) =>
    new Promise((resolve) => answers.push(() => resolve(makeExchange({ id }))));
  const showing = ['first', 'last'].map((id) => showAttempt(active().id, id));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  for (const answer of answers) {
    answer();
    await new Promise(setImmediate);
  }
  await Promise.all(showing);
  expect(active().exchange?.id).toBe('last');
});
