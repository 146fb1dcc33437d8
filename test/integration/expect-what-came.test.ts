import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAnswerBody, type ReceivedAnswer } from '@shared/expect/judge-answer';
import { suggestExpectations } from '@shared/expect/suggest-expectations';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const starter = join(import.meta.dirname, '../../resources/starter/Payments API');
const readStarter = (path: string): string =>
  readFileSync(join(starter, path), 'utf8')
    .split('\n')
    .filter((line) => !/^(?:# @(?:expect|capture|depends-on)|\/\/)/.test(line))
    .join('\n');
const payout = readStarter('Payouts/Salary payout.http');
const status = readStarter('Lookups/Status of a payout.http');
const token = (key: string): string =>
  `POST {{base_url}}/auth/v1/token\nContent-Type: application/json\n\n{"consumer_key": "${key}", "consumer_secret": "{{vault.consumer_secret}}", "product": "payout"}\n`;

/** An answer of each operation, and refusals of them. */
const requests: readonly (readonly [name: string, httpStatus: number, text: string])[] = [
  ['payout', 201, payout],
  ['remittance', 201, readStarter('Remittances/Remittance to M-Pesa.http')],
  ['collection', 201, readStarter('Collections/Checkout.http')],
  ['test webhook', 200, readStarter('Webhooks/Send test webhook.http')],
  ['status', 200, status],
  ['balances', 200, readStarter('Lookups/Balances of payout wallets.http')],
  ['token', 200, token('{{vault.consumer_key}}')],
  ['wrong credentials', 401, token('nobody')],
  ['wrong field', 400, payout.replace('1500', '-5')],
  ['wrong token', 401, payout.replace('{{token.payout}}', 'none')],
  ['wrong signature', 401, payout.replace('{{signature}}', 'bm9uZQ==')],
  ['unknown payment', 404, status.replace('{{payout_reference}}', '{{$uuid}}')],
  ['unknown path', 404, 'GET {{base_url}}/nowhere\n'],
];

const changing =
  /[\da-f]{8}-[\da-f]{4}-|\d{4}-\d\d-\d\d|\d{2}:\d{2}|127\.0\.0\.1|eyJ|\d{9,}|(?=\S*\d)(?=\S*[A-Z])[A-Z\d]{10,}/i;

interface Result extends Record<string, unknown> {
  name: string;
  response: { http_status: number; headers: [string, string][]; body: string };
}

function write(folder: string, expected: (name: string) => readonly string[]): void {
  const text = requests.map(([name, , block]) => {
    const lines = expected(name).map((line) => `# @expect ${line}\n`);
    return `### ${name}\n# @name ${name}\n${lines.join('')}${block.replace(/# @name .*\n/, '')}\n`;
  });
  writeFileSync(join(folder, 'a.http'), text.join('\n'));
}

const run = async (folder: string) => {
  const { json, exitCode, stderr } = await runOnce(['run', 'a.http', '--sandbox', '--json'], { cwd: folder });
  return {
    exitCode,
    stderr,
    results: json.filter(({ event }) => event === 'request') as unknown as Result[],
  };
};

function toAnswer({ response, operation, summary }: Result): ReceivedAnswer {
  const { http_status: httpStatus, headers, body } = response;
  return {
    operation: operation as ReceivedAnswer['operation'],
    httpStatus,
    headers,
    ...readAnswerBody(body, { headers, sizeBytes: body.length, isCut: false }),
    totalMs: 1,
    summary: String(summary),
    outcome: null,
    signature: null,
  };
}

describe('what is expected of an answer that came', () => {
  it('holds for the next one of its kind, and says nothing that changes from one to the next', async () => {
    const folder = makeTemporaryFolder('expect-what-came');
    write(folder, () => []);
    const first = await run(folder);
    expect(first.results.map(({ name, response }) => [name, response?.http_status])).toEqual(
      requests.map(([name, httpStatus]) => [name, httpStatus]),
    );
    const suggested = new Map(first.results.map((one) => [one.name, suggestExpectations(toAnswer(one))]));
    for (const [name, httpStatus] of requests) {
      const lines = suggested.get(name)!;
      expect(lines.slice(0, 1), name).toEqual([`status ${httpStatus}`]);
      expect(
        lines.filter((line) => changing.test(line)),
        name,
      ).toEqual([]);
    }
    expect(suggested.get('token')).toContain('body access_token exists');
    expect(suggested.get('status')).toContain('body data.state exists');
    expect(suggested.get('wrong field')).toContain('body code == 400.100');
    write(folder, (name) => suggested.get(name)!);
    const next = await run(folder);
    expect(next.results.flatMap(({ expectations }) => expectations)).not.toContainEqual(
      expect.objectContaining({ outcome: 'failed' }),
    );
    expect([next.exitCode, next.results.length]).toEqual([0, requests.length]);
  });
});
