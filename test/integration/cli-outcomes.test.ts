import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payout, referenceOf } from '../support/bodies';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { accessOf, fetchToken, type ServiceAccess } from '../support/token';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('cli-outcomes');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let sandbox: RunningCommand;
let access: ServiceAccess;
let token: string;

const ready = (command: RunningCommand) => command.waitForLine((line) => line['event'] === 'ready');

beforeAll(async () => {
  const pem = join(directory, 'public.pem');
  writeFileSync(pem, createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  const options = ['--public-key', pem, '--settle-ms', '200', '--retries', 'none'];
  sandbox = startCli(['sandbox', '--port', '0', '--json', ...options]);
  access = accessOf((await ready(sandbox)) as Parameters<typeof accessOf>[0]);
  token = await fetchToken(access, 'payout');
});
afterAll(() => sandbox.stop());

/** Starts a payout whose account ends so; gives its reference. */
async function pay(ending: string): Promise<string> {
  const body = payout({
    'recipient.account': `25471111${ending}`,
    callback_url: 'http://127.0.0.1:9/webhooks',
  });
  const reference = referenceOf(body);
  const signature = sign('sha256', Buffer.from(`${reference}1000KEMPESA`), privateKey);
  const response = await fetch(`${access.baseUrl}/payments/v1/payouts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-custom-signature': signature.toString('base64'),
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return reference;
}

const status = (reference: string, ...more: string[]) =>
  runOnce(['status', '--reference', reference, '--base-url', access.baseUrl, '--json', ...more], {
    env: {
      COUNTERSIGN_CONSUMER_KEY: access.consumerKey,
      COUNTERSIGN_CONSUMER_SECRET: access.consumerSecret,
    },
  });

describe('status --watch', () => {
  it.each([
    ['1111', 'succeeded', 0],
    ['0001', 'failed', 1],
    ['0002', 'canceled', 1],
  ])('of an account that ends in %s ends with %s and exit code %i', async (ending, state, exitCode) => {
    const watched = await status(await pay(ending), '--watch', '--interval-ms', '50');
    expect(watched.json.at(-1)).toMatchObject({ found: true, state });
    expect(watched.exitCode).toBe(exitCode);
  });

  it('ends with exit code 3 when the payment is not final in time, and says so', async () => {
    const watched = await status(await pay('0003'), '--watch', '--interval-ms', '50', '--watch-ms', '400');
    expect([watched.exitCode, watched.json.at(-1)?.['state']]).toEqual([3, 'processing']);
    expect(watched.stderr).toContain('"cli.timed_out"');
  });

  it('goes on asking for a payment that is not there, and ends with exit code 3', async () => {
    const watched = await status('never-sent', '--watch', '--interval-ms', '50', '--watch-ms', '300');
    expect([watched.exitCode, watched.json.at(-1)?.['found']]).toEqual([3, false]);
    expect(watched.stderr).toContain('No such payment was found within 0.3 s.');
  });

  it.each([
    ['succeeded', '1111', 0],
    ['failed', '0001', 1],
    ['canceled', '0002', 1],
  ])('of a list ends as that of one payment does: one that %s', async (state, ending, exitCode) => {
    const [good, other] = [await pay('1111'), await pay(ending)];
    const file = join(directory, `watched-${ending}.txt`);
    writeFileSync(file, `${good}\n${other}\n`);
    const ask = (...more: string[]) =>
      runOnce(['status', '--list', file, '--base-url', access.baseUrl, '--per-second', '50', ...more], {
        env: {
          COUNTERSIGN_CONSUMER_KEY: access.consumerKey,
          COUNTERSIGN_CONSUMER_SECRET: access.consumerSecret,
        },
      });
    const watched = await ask('--watch');
    expect(watched.stdout).toContain(`${other}  ${state}\n`);
    expect(watched.exitCode).toBe(exitCode);
    // Asked once, it is looked up alone.
    expect((await ask()).exitCode).toBe(0);
  });

  it('leaves a service alone as long as its 429 says, whether it refuses the token or the query', async () => {
    const asked: [string, number][] = [];
    const found = { status: '200.100', code: 'ACCEPTED', data: { state: 'succeeded', payment_uuid: '1' } };
    const limited = createServer(({ url }, response) => {
      const [isToken, isFirst] = [url === '/auth/v1/token', !asked.some(([path]) => path === url)];
      asked.push([url!, performance.now()]);
      response.writeHead(isFirst ? 429 : 200, {
        'content-type': 'application/json',
        ...(isFirst ? { 'retry-after': '1' } : {}),
      });
      const answer = isToken ? { access_token: 'abc', token_type: 'Bearer', expires_in: 3600 } : found;
      response.end(JSON.stringify(isFirst ? {} : answer));
    });
    await new Promise<void>((done) => limited.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(limited.address() as AddressInfo).port}`;
    const ask = (...more: string[]) =>
      runOnce(['status', '--base-url', url, '--data', join(directory, `limited${asked.length}`), ...more], {
        env: { COUNTERSIGN_CONSUMER_KEY: 'k', COUNTERSIGN_CONSUMER_SECRET: 's' },
      });
    const one = await ask('--reference', 'R', '--watch', '--interval-ms', '50');
    expect([one.exitCode, one.stdout.trim().split('\n').at(-1)]).toEqual([0, 'succeeded']);
    expect(one.stderr).toBe('Too many requests: again in 1 s.\n'.repeat(2));
    expect(asked.map(([path]) => path.split('/')[1])).toEqual(['auth', 'auth', 'tsq', 'tsq']);
    const gaps = asked.slice(1).map(([, at], index) => at - asked[index]![1]);
    expect(Math.min(gaps[0]!, gaps[2]!)).toBeGreaterThan(990);
    asked.length = 0;
    writeFileSync(join(directory, 'limited.txt'), 'R\n');
    const list = await ask('--list', join(directory, 'limited.txt'), '--per-second', '50');
    expect([list.exitCode, list.stdout]).toEqual([0, 'R  succeeded\n']);
    expect(asked).toHaveLength(4);
    limited.close();
  });
});

describe('status --watch of a payment whose state takes its time', () => {
  const watch = async (answers: readonly (string | number)[], ...more: string[]) => {
    let count = 0;
    const server = createServer((_request, response) => {
      const answer = answers[Math.min(count, answers.length - 1)]!;
      count += 1;
      if (typeof answer === 'number') response.writeHead(429, { 'retry-after': String(answer) });
      if (answer === 'gone') response.writeHead(404);
      response.end(
        answer === 'gone'
          ? JSON.stringify({ status: 'NOT_FOUND', code: '404.001.000' })
          : JSON.stringify({ status: '200.100', code: 'ACCEPTED', data: { state: answer } }),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = ['--reference', 'R', '--watch', '--product', 'payout', '--base-url', url];
    const result = await runOnce(['status', ...options, ...more], { env: { COUNTERSIGN_TOKEN: token } });
    server.close();
    return { ...result, count };
  };

  it('takes none for final that the interface does not call so', async () => {
    const { exitCode, stdout } = await watch(['pending', 'succeeded'], '--interval-ms', '10');
    expect([exitCode, stdout]).toEqual([0, 'pending\nsucceeded\n']);
  });

  it('asks once more when the time is up, however long it waits between', async () => {
    const times = ['--interval-ms', '60000', '--watch-ms', '2000'];
    expect(await watch(['processing', 'succeeded'], ...times)).toMatchObject({ exitCode: 0, count: 2 });
  });

  it('says that it was not final of one that was told, whatever the last answer does not tell', async () => {
    const { exitCode, stderr } = await watch(['processing', 60], '--interval-ms', '10', '--watch-ms', '3000');
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/The payment was not final after .* s\. Last: Too many requests: again in 60 s\./);
  });

  it('says so of one that was told, and is not found any more', async () => {
    const { exitCode, stdout, stderr } = await watch(
      ['processing', 'gone'],
      '--interval-ms',
      '10',
      '--watch-ms',
      '2000',
    );
    expect([exitCode, stdout.split('\n')[1]]).toEqual([3, 'not found: No such payment']);
    expect(stderr).toMatch(/The payment was not final after .* s\. Last: It was not found\./);
  });

  it('ends at once where the service wants to be left alone for longer, and says when and why', async () => {
    const { exitCode, stderr, count } = await watch([60], '--watch-ms', '30000');
    expect([exitCode, count]).toEqual([3, 1]);
    expect(stderr).toMatch(
      / within \d(\.\d)? s\. Last: Too many requests: again in 60 s\. Wait longer with --watch-ms/,
    );
  });
});

describe('status --watch of a service that does not answer', () => {
  const env = { COUNTERSIGN_CONSUMER_KEY: 'k', COUNTERSIGN_CONSUMER_SECRET: 's' };
  const found = { status: '200.100', code: 'ACCEPTED', data: { state: 'succeeded', payment_uuid: '1' } };
  const token = { access_token: 'abc', token_type: 'Bearer', expires_in: 3600 };

  it.each(['one', 'list'])('tells it and asks again, until it answers: %s', async (which) => {
    const asked: string[] = [];
    const starting = createServer(({ url, socket }, response) => {
      asked.push(url!.split('/')[1]!);
      // The first that asks for the token, and the first that asks for the payment, are sent away without a word.
      if (asked.filter((one) => one === asked.at(-1)).length === 1) return void socket.destroy();
      // What stands open may close at any time, and is opened again unsaid.
      response.setHeader('connection', 'close').setHeader('content-type', 'application/json');
      response.end(JSON.stringify(asked.at(-1) === 'auth' ? token : found));
    });
    await new Promise<void>((done) => starting.listen(0, '127.0.0.1', done));
    const file = join(directory, 'starting.txt');
    writeFileSync(file, 'R\n');
    const url = `http://127.0.0.1:${(starting.address() as AddressInfo).port}`;
    const what = which === 'one' ? ['--reference', 'R', '--interval-ms', '50'] : ['--list', file];
    const options = ['--watch', '--watch-ms', '20000', '--product', 'payout', '--base-url', url];
    const data = join(directory, `starting-${which}`);
    const { exitCode, stdout, stderr } = await runOnce(['status', ...what, ...options, '--data', data], {
      env,
    });
    starting.close();
    expect(asked).toEqual(['auth', 'auth', 'tsq', 'tsq']);
    expect(exitCode).toBe(0);
    const why = String.raw`127\.0\.0\.1:\d+ closed the connection .*`;
    const expected =
      which === 'one'
        ? [String.raw`(${why} Asking again in 0\.0(?:5|75) s\.\n){2}`, 'succeeded\n']
        : ['1 of 1 found\\.\n', String.raw`R {2}not known: ${why}\nR {2}succeeded\n`];
    expect(stderr).toMatch(new RegExp(`^${expected[0]}$`));
    expect(stdout).toMatch(new RegExp(`^${expected[1]}$`));
  });

  it('takes nothing back of what a list was told, where the last answers do not tell', async () => {
    let asked = 0;
    const failing = createServer(({ url }, response) => {
      const isToken = url === '/auth/v1/token';
      response.writeHead(!isToken && ++asked > 1 ? 500 : 200, { 'content-type': 'application/json' });
      const found = { status: '200.100', code: 'ACCEPTED', data: { state: 'processing', payment_uuid: '1' } };
      response.end(
        JSON.stringify(isToken ? { access_token: 'abc', expires_in: 3600 } : asked > 1 ? {} : found),
      );
    });
    await new Promise<void>((done) => failing.listen(0, '127.0.0.1', done));
    const file = join(directory, 'failing.txt');
    writeFileSync(file, 'R\n');
    const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
    const options = ['--watch', '--watch-ms', '3000', '--product', 'payout', '--base-url', url];
    const told = await runOnce(['status', '--list', file, ...options], { env });
    failing.close();
    expect([told.exitCode, told.stderr]).toEqual([3, '1 of 1 found.\n']);
    const lines = [
      '',
      ': The service failed',
      ': The service failed. Not final after 3 s; the watch has ended.',
    ];
    expect(told.stdout).toBe(lines.map((line) => `R  processing${line}\n`).join(''));
  });

  it('asks ever less often, and ends with exit code 3 and why, where it never does', async () => {
    const nobody = createServer();
    await new Promise<void>((done) => nobody.listen(0, '127.0.0.1', done));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((done) => nobody.close(done));
    const options = ['--watch', '--interval-ms', '100', '--watch-ms', '3000', '--base-url'];
    const { exitCode, stderr } = await runOnce(
      ['status', '--reference', 'R', ...options, `http://127.0.0.1:${port}`],
      { env },
    );
    expect(exitCode).toBe(3);
    const pauses = [...stderr.matchAll(/Asking again in ([\d.]+) s\.\n/g)].map(([, seconds]) =>
      Number(seconds),
    );
    expect(pauses.slice(0, 3)).toEqual([0.1, 0.15, 0.23]);
    expect(stderr).toContain(
      `The service gave no answer within 3 s. Last: Cannot reach 127.0.0.1 on port ${port}`,
    );
  });
});

it('status without --watch says 1 for a payment that is not there', async () => {
  expect((await status('never-sent')).exitCode).toBe(1);
});

describe('inbox export', () => {
  const count = 1203;
  const data = join(directory, 'inbox');

  beforeAll(async () => {
    const listener = startCli(['listen', '--port', '0', '--json', '--data', data]);
    const url = (await ready(listener))['url'] as string;
    for (let sent = 0; sent < count; sent += 100) {
      const some = Array.from({ length: Math.min(100, count - sent) }, (_, index) =>
        fetch(`${url}/webhooks`, { method: 'POST', body: JSON.stringify({ number: sent + index }) }),
      );
      expect(new Set((await Promise.all(some)).map((answer) => answer.status))).toEqual(new Set([200]));
    }
    await listener.stop('SIGINT');
  });

  const numbersOf = (texts: readonly string[]): number[] =>
    texts.map((text) => (JSON.parse(text) as { number: number }).number).sort((a, b) => a - b);
  const all = Array.from({ length: count }, (_, index) => index);

  it('as JSON lines holds every webhook once, however many pages they are', async () => {
    const { json, exitCode } = await runOnce(['inbox', 'export', '--json', '--data', data]);
    expect(exitCode).toBe(0);
    expect(
      numbersOf(json.map((line) => Buffer.from(line['body_base64'] as string, 'base64').toString())),
    ).toEqual(all);
  });

  it('as HAR, too', async () => {
    const { stdout } = await runOnce(['inbox', 'export', '--format', 'har', '--data', data]);
    const { log } = JSON.parse(stdout) as { log: { entries: { request: { postData: { text: string } } }[] } };
    expect(numbersOf(log.entries.map(({ request }) => request.postData.text))).toEqual(all);
  });
});
