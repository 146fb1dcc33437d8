import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { sandboxScenario } from '../../electron/sandbox/scenario/scenario-file';
import { collection } from '../support/bodies';
import { projectRoot, startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { accessOf, fetchToken } from '../support/token';
import { runOnce } from './cli-once';

const folder = makeTemporaryFolder('scenario');
const file = join(folder, 'scenario.json');
const schemaFile = join(projectRoot, 'resources/sandbox-scenario.schema.json');
let running: RunningCommand | null = null;
afterEach(() => running?.stop());

it('the schema in resources is that of the reader', () => {
  const schema = { title: 'Scenario of a Countersign sandbox', ...z.toJSONSchema(sandboxScenario) };
  expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
});

it('plays each step at its time of the sandbox, and tells what could not be done', async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => (received.push(body), response.end()));
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const body = '{ "status": "SUCCESS", "amount": 1500.00 }';
  const steps = [
    { at_seconds: 600, do: 'payment', reference: 'nobody-knows', state: 'failed' },
    { at_seconds: 300, do: 'payment', reference: 'held', state: 'failed' },
    { at_seconds: 0, do: 'settings', settle_ms: 3_600_000 },
    { at_seconds: 60, do: 'wallet', product: 'collection', currency: 'KES', status: 'SUSPENDED' },
    { at_seconds: 120, do: 'webhook', callback_url: callback, body, scenario: 'duplicate' },
    { at_seconds: 200, do: 'faults', error_rate: 1 },
    { at_seconds: 210, do: 'faults' },
  ];
  writeFileSync(file, JSON.stringify({ version: 1, steps }));
  running = startCli(['sandbox', '--port', '0', '--json', '--scenario', file]);
  const ready = await running.waitForLine(({ event }) => event === 'ready');
  const url = String(ready['base_url']);
  const admin = async (path: string, sent?: object): Promise<Record<string, unknown>> => {
    const headers = { Authorization: `Bearer ${String(ready['admin_token'])}` };
    const init = sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) };
    return (await (await fetch(`${url}/_sandbox/${path}`, { headers, ...init })).json()) as never;
  };
  const token = await fetchToken(accessOf(ready as never), 'collection');
  const sent = await fetch(`${url}/payments/v1/collections`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(collection({ 'transaction.reference': 'held' })),
  });
  expect(sent.status).toBe(201);
  const told = (): unknown[] =>
    running!.lines
      .filter(({ event }) => event === 'scenario')
      .map((line) => [line['at_seconds'], line['do'], line['failure']]);
  await running.waitForLine(({ event }) => event === 'scenario');
  expect(told()).toEqual([[0, 'settings', null]]);
  await admin('clock/advance', { seconds: 150 });
  const wallets = (await admin('state'))['wallets'] as {
    product: string;
    currency: string;
    status: string;
  }[];
  expect(
    wallets.find(({ product, currency }) => product === 'collection' && currency === 'KES')?.status,
  ).toBe('SUSPENDED');
  await expect.poll(() => received).toEqual([body, body]);
  await admin('clock/advance', { seconds: 55 });
  expect((await admin('faults'))['error_rate']).toBe(1);
  await admin('clock/advance', { seconds: 500 });
  await running.waitForLine(({ event, at_seconds: at }) => event === 'scenario' && at === 600);
  expect(told().slice(-2)).toEqual([
    [300, 'payment', null],
    [600, 'payment', 'There is no payment with this reference by then.'],
  ]);
  const payments = (await admin('state'))['payments'] as { state: string }[];
  expect(payments.map(({ state }) => state)).toEqual(['failed']);
  expect((await admin('faults'))['error_rate']).toBe(0);
  receiver.close();
});

it.each([
  ['no JSON', '{', 'no JSON'],
  ['a comma that is missing', '{"version":1\n"steps":[]}', 'it is no JSON: line 1, column 13'],
  ['another version', '{"version":2,"steps":[]}', 'this program reads version 1'],
  ['an unknown step', '{"version":1,"steps":[{"at_seconds":0,"do":"explode"}]}', 'steps/0/do'],
  ['an unknown member', '{"version":1,"steps":[{"at_seconds":0,"do":"reset","now":true}]}', 'steps/0'],
  [
    'a body that is none',
    '{"version":1,"steps":[{"at_seconds":0,"do":"webhook","callback_url":"http://127.0.0.1:1/","body":"[1]"}]}',
    'no JSON object',
  ],
  [
    'a receiver that is none',
    '{"version":1,"steps":[{"at_seconds":0,"do":"webhook","callback_url":"javascript:alert(1)","body":"{}"}]}',
    'steps/0/callback_url',
  ],
  ['a time that is none', '{"version":1,"steps":[{"at_seconds":-1,"do":"reset"}]}', 'steps/0/at_seconds'],
  ['endless depth', '['.repeat(200_000), 'no JSON'],
])('%s is refused before anything starts', async (_name, text, named) => {
  writeFileSync(file, text);
  const { exitCode, stderr, stdout } = await runOnce(['sandbox', '--port', '0', '--scenario', file]);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(named);
  expect(stderr.trimEnd()).not.toContain('\n');
});
