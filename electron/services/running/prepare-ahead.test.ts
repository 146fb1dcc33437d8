import { expect, it } from 'vitest';
import type { Exchange, SendInput } from '@shared/contract/sending';
import { usualSetup } from '@shared/contract/usual-setup';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { runRequests } from './run-requests';
import { WebhookHub } from './webhook-hub';
import { planText } from '../../../test/support/plan-text';

/** Runs requests, each of which the service holds for a while; what was made ready and left, in order. */
async function listSteps(text: string, options = {}): Promise<string[]> {
  return (await listAllSteps(text, options)).filter((step) => !step.startsWith('told'));
}

async function listAllSteps(
  text: string,
  { holdMs = 20, delayMs = 0, sizeBytes = 100 } = {},
): Promise<string[]> {
  const steps: string[] = [];
  let clockMs = 0;
  const never = () => Promise.reject(new Error('not asked'));
  const leave = async ({ title, url }: SendInput, onAnswer?: (answer: never, secrets: []) => void) => {
    steps.push(`left ${title} ${url}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    clockMs += holdMs;
    steps.push(`answered ${title}`);
    const body = Buffer.from(JSON.stringify({ id: `of-${title}` }));
    onAnswer?.({ httpStatus: 200, headers: [], body, timings: { totalMs: 1 }, isCut: false } as never, []);
    const response = { httpStatus: 200, headers: [], body: '', sizeBytes };
    return {
      operation: 'other',
      request: {},
      response,
      reading: null,
      reference: null,
    } as unknown as Exchange;
  };
  await runRequests(
    {
      ports: { clock: { ...systemClock, monotonicMs: () => clockMs }, random: systemRandom },
      makeReady: (input) => {
        steps.push(`ready ${input.title}`);
        return Promise.resolve({ leave: (onAnswer) => leave(input, onAnswer as never) });
      },
      listOwnSecrets: () => Promise.resolve([]),
      lookUp: never,
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
      jobs: 8,
      retries: 0,
      iterations: 1,
      delayMs,
      rows: null,
      resume: null,
      hub: new WebhookHub(),
      secrets: [],
      stop: new AbortController().signal,
      onResult: ({ name }) => void steps.push(`told ${name}`),
    },
  );
  return steps;
}

const get = (name: string, path: string, ...lines: string[]): string =>
  [`### ${name}`, ...lines.map((line) => `# @${line}`), `GET http://127.0.0.1:9/${path}`, '', ''].join('\n');

it('makes the next request ready while the service works on the one before it, and sends in order', async () => {
  expect(await listSteps(get('a', '1') + get('b', '2'))).toEqual([
    'ready a',
    'left a http://127.0.0.1:9/1',
    'ready b',
    'answered a',
    'left b http://127.0.0.1:9/2',
    'answered b',
  ]);
});

it('waits for the answer where the next one takes a value from it, by way of a variable of the file, too', async () => {
  const first = get('a', '1', 'capture id = body id');
  const a = ['ready a', 'left a http://127.0.0.1:9/1', 'answered a'];
  const taken = [...a, 'ready b', 'left b http://127.0.0.1:9/of-a', 'answered b'];
  expect(await listSteps(first + get('b', '{{id}}'))).toEqual(taken);
  expect(await listSteps(`@way = {{id}}\n${first}${get('b', '{{way}}')}`)).toEqual(taken);
  // An older value is there already: it is not the one.
  const again = get('a', '1', 'capture id = body id') + get('b', '2', 'capture id = body id');
  expect(await listSteps(again + get('c', '{{id}}'))).toContain('left c http://127.0.0.1:9/of-b');
});

it('makes it anew where the answer took so long that its times would not be now', async () => {
  const steps = await listSteps(get('a', '1') + get('b', '2'), { holdMs: 5000 });
  expect(steps.filter((step) => step === 'ready b')).toHaveLength(2);
  expect(steps.filter((step) => step.startsWith('left b'))).toHaveLength(1);
});

it.each([
  ['before', 'is long: the next one would be timed while it is written down', 65_537, -1],
  ['after', 'is short', 65_536, 1],
])('tells of an answer %s the next request leaves where it %s', async (_when, _what, sizeBytes, order) => {
  const steps = await listAllSteps(get('a', '1') + get('b', '2'), { sizeBytes });
  expect(Math.sign(steps.indexOf('told a') - steps.indexOf('left b http://127.0.0.1:9/2'))).toBe(order);
});

it('lets the next request leave where a request with a long answer waits for more', async () => {
  const waiting = get('a', '1', 'expect no webhook for 10ms');
  const steps = await listAllSteps(waiting + get('b', '2'), { sizeBytes: 65_537 });
  expect(steps.indexOf('left b http://127.0.0.1:9/2')).toBeLessThan(steps.indexOf('told a'));
});
