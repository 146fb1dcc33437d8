import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce, type CliResult } from './cli-once';

const data = join(makeTemporaryFolder('inbox-explain'), 'data');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const key = Buffer.from(secret.slice(6), 'base64');
/** Odd on purpose: what is parsed and written again does not look like this. */
const body = '{ "status":"SUCCESS", "amount": 12345678901234567890, "client_reference":"R-é" }';
const timestamp = String(Math.floor(Date.now() / 1000));
const sign = (message: string): string => `v1,${createHmac('sha256', key).update(message).digest('base64')}`;

let listener: RunningCommand;
let url = '';

/** @returns its id, once it is kept */
async function receive(id: string, signature: string): Promise<string> {
  await fetch(url, {
    method: 'POST',
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
  });
  const line = await listener.waitForLine((one) => one['webhook_id'] === id);
  return String(line['id']);
}

const show = (id: string, ...args: string[]): Promise<CliResult> =>
  runOnce(['inbox', 'show', id, '--data', data, ...args]);

beforeAll(async () => {
  listener = startCli(['listen', '--port', '0', '--data', data, '--json', '--secret', secret]);
  url = String((await listener.waitForLine(({ event }) => event === 'ready'))['url']);
});
afterAll(() => listener.stop());

describe('inbox show of a webhook whose signature does not fit', () => {
  it('says what its sender did otherwise, as text and in the JSON', async () => {
    const id = await receive('wh_rewritten', sign(`wh_rewritten.${timestamp}.${JSON.stringify(JSON.parse(body))}`));
    const { stderr, stdout, exitCode } = await show(id, '--secret', other, '--secret', secret);
    expect(stderr).toContain(
      'By secret 2 of 2: invalid. Signed over the body written anew, minified, numbers rewritten, which is not what came: sign the bytes that are sent, and send them as they were signed.\n',
    );
    expect(stdout).toContain(body);
    expect(exitCode).toBe(0);
    const { json } = await show(id, '--secret', secret, '--json');
    expect(json[0]).toMatchObject({
      verdict: 'invalid',
      signature_explained: { verdict: 'invalid', secret_index: 0, causes: [{ part: 'body' }] },
    });
  }); // prettier-ignore

  it('names how to learn it where no secret was given, as listen does once', async () => {
    const id = await receive('wh_alone', sign(body));
    const { stderr } = await show(id);
    expect(stderr).toMatch(/to learn what its sender did otherwise/);
    expect((await show(id, '--json')).json[0]).not.toHaveProperty('signature_explained');
    const told = listener.readErrors().match(/The signature of POST \/ is not valid\.[^\n"]*/g);
    expect(told).toEqual([
      expect.stringMatching(/countersign inbox show [0-9a-z]+ --secret KEY and --data as here\.$/),
    ]);
  });

  it('searches for nothing where it is valid, and says where another secret fits', async () => {
    const valid = await receive('wh_valid', sign(`wh_valid.${timestamp}.${body}`));
    expect((await show(valid, '--secret', other, '--json')).json[0]).not.toHaveProperty(
      'signature_explained',
    );
    const foreign = createHmac('sha256', Buffer.alloc(24, 7)).update(`wh_other.${timestamp}.${body}`);
    const id = await receive('wh_other', `v1,${foreign.digest('base64')}`);
    expect((await show(id, '--secret', other)).stderr).toContain('By the secret that was given: valid');
    expect((await show(id, '--secret', secret)).stderr).toMatch(
      /[\d,]+ ways to sign it otherwise were tried/,
    );
  });
});
