import { expect, it } from 'vitest';
import { usualSetup } from '@shared/contract/usual-setup';
import { readJsonTree } from '@shared/json/json-tree';
import type { RequestResult } from '@shared/run/run-result';
import { planText } from '../../../test/support/plan-text';
import { systemClock, systemRandom } from '../../platform/node-ports';
import type { ResumeLog } from './resume-log';
import { runRequests } from './run-requests';
import { WebhookHub, type ArrivedWebhook } from './webhook-hub';

const text = `### pay
# @expect webhook within 1s status == SUCCESS
POST http://127.0.0.1:9/payments/v1/payouts

{"transaction":{"reference":"R-1","amount":1500.00,"currency":"KES"}}
`;

/** Goes on with a run that sent a payment; two webhooks with its reference are kept, the later of another payment. */
async function goOn(paymentUuid: string | null, typed: readonly string[] = []): Promise<RequestResult[]> {
  const results: RequestResult[] = [];
  const never = () => Promise.reject(new Error('not asked'));
  const webhook = (id: string, uuid: string, status: string): ArrivedWebhook => {
    const body = JSON.stringify({ status });
    const facts = { receivedAt: 1, headers: [], body, tree: readJsonTree(body), whyUnread: null };
    return { id, reference: 'R-1', paymentUuid: uuid, ...facts } as ArrivedWebhook;
  };
  const hub = new WebhookHub();
  hub.findEarlier = () => Promise.resolve([webhook('1', '11', 'FAILED'), webhook('2', '22', 'SUCCESS')]);
  const reading = paymentUuid === null ? null : { paymentUuid };
  await runRequests(
    {
      ports: { clock: systemClock, random: systemRandom },
      makeReady: never,
      listOwnSecrets: async ({ body }) => typed.filter((one) => body?.includes('R-1') && one.length > 0),
      lookUp: () => Promise.resolve({ isFound: true, state: 'failed', exchange: { reading } }) as never,
      fetchBalances: never,
      verify: never,
    },
    {
      requests: planText(text).requests,
      environment: {
        id: 'e',
        label: 'e',
        variables: {},
        destination: { baseUrl: 'http://127.0.0.1:9', setup: usualSetup },
        isLoopback: true,
      },
      given: {},
      allowHosts: [],
      isBail: false,
      jobs: 1,
      retries: 0,
      iterations: 1,
      delayMs: 0,
      rows: null,
      resume: {
        findOutcome: () => null,
        findInFlight: () => ({ reference: 'R-1', draws: [] }),
        findOwner: () => null,
        findJudged: () => new Map(),
        findCaptured: () => ({}),
        begin: () => undefined,
        judge: () => undefined,
        capture: () => undefined,
        end: () => undefined,
        close: () => undefined,
      } satisfies ResumeLog,
      hub,
      secrets: [],
      stop: new AbortController().signal,
      onResult: (result: RequestResult) => results.push(result),
    },
  );
  return results;
}

it('holds of a payment that a run before sent no webhook of another one that has its reference', async () => {
  const [own] = await goOn('11');
  expect(own).toMatchObject({ outcome: 'failed', reference: 'R-1' });
  // Where the status names no payment, nobody can tell them apart.
  const [untold] = await goOn(null);
  expect(untold).toMatchObject({ outcome: 'passed' });
});

it('masks what sending says that the request proves itself with', async () => {
  const [shown] = await goOn('11');
  expect(shown!.reason).toContain('run before');
  const [masked] = await goOn('11', ['the run before']);
  expect(masked!.reason).not.toContain('run before');
});
