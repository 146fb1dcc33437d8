import { expect, it } from 'vitest';
import type { RunRequest } from '@shared/run/plan-run';
import { createLimiter } from './limiter';
import type { Attempt } from './prepare-attempt';
import { resumeInFlight } from './resume-in-flight';
import type { RunContext } from './run-context';
import { WebhookHub, type ArrivedWebhook } from './webhook-hub';

const webhook = (id: string, reference: string | null, paymentUuid: string | null) =>
  ({ id, reference, paymentUuid }) as ArrivedWebhook;
const idsOf = (webhooks: readonly ArrivedWebhook[]): string[] => webhooks.map(({ id }) => id);

it('takes back what came with the reference before the answer, where that names another payment', () => {
  const hub = new WebhookHub();
  const claim = hub.claim('R-1');
  hub.receive(webhook('other', 'R-1', '99'));
  hub.receive(webhook('own', 'R-1', '11'));
  hub.receive(webhook('bare', 'R-1', null));
  hub.receive(webhook('empty', 'R-1', ''));
  expect(idsOf(claim.webhooks)).toEqual(['other', 'own', 'bare', 'empty']);
  claim.identify('11');
  expect(idsOf(claim.webhooks)).toEqual(['own', 'bare', 'empty']);
  expect([...claim.otherUuids]).toEqual(['99']);
});

it('gives a webhook to nobody whose answer named another payment, whatever its reference', () => {
  const hub = new WebhookHub();
  const claim = hub.claim('R-1');
  claim.identify('11');
  hub.receive(webhook('other', 'R-1', '99'));
  hub.receive(webhook('own', 'R-1', '11'));
  hub.receive(webhook('nameless', null, '11'));
  expect(idsOf(claim.webhooks)).toEqual(['own', 'nameless']);
  const kept = [
    webhook('kept other', 'R-1', '99'),
    webhook('kept', 'R-1', '11'),
    webhook('own', 'R-1', '11'),
  ];
  expect(idsOf(claim.listAfter(kept))).toEqual(['kept', 'own', 'nameless']);
});

it('gives each of two requests with one reference its own, whichever answer comes first, and none twice', () => {
  const hub = new WebhookHub();
  const [one, two] = [hub.claim('R-1'), hub.claim('R-1')];
  hub.receive(webhook('a', 'R-1', '11'));
  hub.receive(webhook('b', 'R-1', '22'));
  one.identify('11');
  two.identify('22');
  hub.receive(webhook('c', 'R-1', '22'));
  expect([idsOf(one.webhooks), idsOf(two.webhooks)]).toEqual([['a'], ['b', 'c']]);
  // Sent without a reference that could be read: the answer alone tells.
  const late = hub.claim(null);
  hub.receive(webhook('d', 'R-1', '33'));
  late.identify('33');
  expect(idsOf(late.webhooks)).toEqual(['d']);
});

it('learns of a payment that a run before sent from the status which payment it is', async () => {
  const ask = (reading: object | null) => {
    const lookUp = () => Promise.resolve({ isFound: true, state: 'succeeded', exchange: { reading } });
    const clock = { monotonicMs: () => 0 };
    const options = { environment: { id: 'e' }, stop: new AbortController().signal };
    const context = { deps: { ports: { clock }, lookUp }, options, polls: createLimiter(1) };
    const request = { directives: { expectations: [] } } as unknown as RunRequest;
    const attempt = { product: 'payout', reference: 'R-1' } as Attempt;
    return resumeInFlight(request, attempt, context as unknown as RunContext);
  };
  expect(await ask({ paymentUuid: '11' })).toEqual({ state: 'succeeded', paymentUuid: '11' });
  expect(await ask(null)).toEqual({ state: 'succeeded', paymentUuid: null });
});
