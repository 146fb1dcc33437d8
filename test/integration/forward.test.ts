import { once } from 'node:events';
import { connect } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findFreePort } from '../support/free-port';
import { startBackend, type RecordingBackend } from '../support/recording-backend';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

let data: string;
let backend: RecordingBackend | null = null;
let command: RunningCommand | null = null;
beforeEach(() => void (data = makeTemporaryFolder('forward')));
afterEach(async () => {
  await command?.stop('SIGKILL');
  await backend?.close();
  command = backend = null;
});

/** Starts `listen` on the data folder of this test. @returns its address */
async function listen(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  command = startCli(['listen', '--port', '0', '--data', data, '--json', ...args], { env });
  const { url } = await command.waitForLine(({ event }) => event === 'ready');
  return url as string;
}

/** Runs a command to its end. */
async function runCli(
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { child, readOutput, readErrors } = startCli(args);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: readOutput(), stderr: readErrors() };
}

/** Sends bytes as they are and reads the whole answer. */
function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const post = (url: string, body: object | string): Promise<Response> =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
const forwards = (outcome?: string): Record<string, unknown>[] =>
  command!.lines.filter(
    (line) => line['event'] === 'forward' && (outcome ?? line['outcome']) === line['outcome'],
  );
const delivered = (count: number): Promise<unknown> =>
  command!.waitForLine(() => forwards('delivered').length >= count);
const bodies = (): string[] => backend!.taken.map(({ body }) => body.toString());

it('keeps what waits for a backend that is down, however little is to be kept', async () => {
  const port = await findFreePort();
  const url = await listen(['--forward-to', `http://127.0.0.1:${port}/in`, '--keep-count', '1']);
  for (let count = 0; count < 5; count += 1)
    expect((await post(url, { client_reference: `R-${count}` })).ok).toBe(true);
  await command!.waitForLine(() => forwards('retrying').length > 0);
  await command!.stop('SIGTERM');
  // It prunes as soon as it starts, and before the backend is there.
  await listen(['--forward-to', `http://127.0.0.1:${port}/in`, '--keep-count', '1']);
  await command!.waitForLine(() => forwards('retrying').length > 0);
  backend = await startBackend(undefined, port);
  await delivered(5);
  // Those of one reference alone keep their order: the one that was tried meanwhile comes when its pause is over.
  const references = bodies().map(
    (body) => (JSON.parse(body) as { client_reference: string }).client_reference,
  );
  expect(references.sort()).toEqual(['R-0', 'R-1', 'R-2', 'R-3', 'R-4']);
});

it('counts what waits for a command beside it, too', async () => {
  const port = await findFreePort();
  const url = await listen(['--forward-to', `http://127.0.0.1:${port}/in`]);
  for (let count = 0; count < 3; count += 1) await post(url, { client_reference: `R-${count}` });
  await command!.waitForLine(() => forwards('retrying').length > 0);
  const { stdout } = await runCli(['call', 'forwarding.status', '--data', data]);
  expect(JSON.parse(stdout)).toMatchObject({ backlogCount: 3 });
});

it('forwards the bytes as they came: body, path, header names in case and order', async () => {
  backend = await startBackend();
  const url = await listen(['--forward-to', backend.url]);
  const body = '{"a":1e3,\t"b":"\xff\x00",  "a":1.0}\r\n';
  const head = [
    'PATCH /hooks/é?q=%20&q HTTP/1.1'.replace('é', '%C3%A9'),
    'host: sender.test',
    'X-zEBRA: caf\xe9',
    'content-TYPE: application/json',
    'Connection: close, X-Hop',
    'X-Hop: gone',
    'x-zebra:   second  ',
    'Cookie: a=1; countersign_9=secret',
    `Content-Length: ${body.length}`,
  ];
  expect(await sendRaw(url, `${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1.1 200 /);
  await delivered(1);
  const [taken] = backend.taken;
  expect(taken!.method).toBe('PATCH');
  expect(taken!.url).toBe('/hooks/%C3%A9?q=%20&q');
  expect(taken!.body.toString('latin1')).toBe(body);
  const names = taken!.rawHeaders.filter((_text, at) => at % 2 === 0);
  const ours = names.filter((name) => name.startsWith('Countersign-'));
  const kept = [
    'X-zEBRA',
    'caf\xe9',
    'content-TYPE',
    'application/json',
    'x-zebra',
    'second',
    'Cookie',
    'a=1',
  ];
  const at = taken!.rawHeaders.indexOf('X-zEBRA');
  expect(taken!.rawHeaders.slice(at, at + kept.length)).toEqual(kept);
  expect(
    names.filter((name) => !ours.includes(name) && !kept.includes(name)).map((name) => name.toLowerCase()),
  ).toEqual(['host', 'content-length', 'connection']);
  const line = forwards()[0]!;
  expect(line).toMatchObject({
    attempt: 1,
    outcome: 'delivered',
    http_status: 200,
    reason: null,
    next_attempt_at: null,
  });
  expect(line['id']).toBe(command!.lines.find(({ event }) => event === 'webhook')!['id']);
});

it('forwards what passes the filter, to the path of the address where it has one', async () => {
  backend = await startBackend();
  const url = await listen(['--forward-to', `${backend.url}/fixed?x=1`, '--filter', 'status == FAILED']);
  await post(`${url}/a`, { status: 'SUCCESS' });
  await post(`${url}/b?c`, { status: 'FAILED' });
  await delivered(1);
  expect(backend.taken.map((one) => [one.url, one.body.toString()])).toEqual([
    ['/fixed?x=1', '{"status":"FAILED"}'],
  ]);
});

it('keeps what it cannot deliver over a restart, and delivers each reference in its order', async () => {
  const port = await findFreePort();
  const target = ['--forward-to', `http://127.0.0.1:${port}`];
  const url = await listen(target);
  for (let n = 0; n < 6; n++) await post(url, { client_reference: `R${n % 2}`, n });
  const failed = await command!.waitForLine(({ event }) => event === 'forward');
  expect(failed).toMatchObject({ attempt: 1, outcome: 'retrying', http_status: null });
  expect(failed['reason']).toContain('nothing listens there');
  expect(Date.parse(failed['next_attempt_at'] as string) - Date.now()).toBeLessThan(30_000);
  expect(command!.readErrors()).toContain('Webhooks are kept and wait');
  await command!.stop('SIGKILL');
  backend = await startBackend(undefined, port);
  await listen(target);
  await delivered(6);
  const inOrder = (reference: string): number[] =>
    bodies()
      .map((body) => JSON.parse(body) as { client_reference: string; n: number })
      .filter((one) => one.client_reference === reference)
      .map(({ n }) => n);
  expect([inOrder('R0'), inOrder('R1')]).toEqual([
    [0, 2, 4],
    [1, 3, 5],
  ]);
});

it('holds back a reference whose webhook fails, and no other; a redirect is a failure', async () => {
  let mayPass = false;
  backend = await startBackend(({ body }, response) => {
    const isBlocked = body.includes('"bad"') && !mayPass;
    response.writeHead(isBlocked ? 302 : 200, { location: `${backend!.url}/elsewhere` }).end();
  });
  const url = await listen(['--forward-to', backend.url]);
  for (const client_reference of ['bad', 'bad', 'good', 'good']) await post(url, { client_reference });
  await delivered(2);
  expect(forwards('retrying')[0]).toMatchObject({ http_status: 302 });
  expect(forwards('retrying')[0]!['reason']).toContain('redirects are not followed');
  expect(backend.taken.every((one) => one.url === '/')).toBe(true);
  mayPass = true;
  await delivered(4);
  expect(bodies().filter((body) => body.includes('bad')).length).toBeGreaterThanOrEqual(3);
});

it('takes nothing that came while it did not forward, and what came after a crash', async () => {
  backend = await startBackend();
  const target = ['--forward-to', backend.url];
  await post(await listen(target), { n: 'first' });
  await delivered(1);
  await command!.stop('SIGKILL');
  await post(await listen([]), { n: 'while off' });
  await command!.stop('SIGKILL');
  await post(await listen(target), { n: 'on again' });
  await delivered(1);
  expect(bodies()).toEqual(['{"n":"first"}', '{"n":"on again"}']);
  expect(command!.readErrors()).toContain(
    '1 webhook came while nothing was forwarded to an address: --backlog',
  );

  await command!.stop();
  await listen([...target, '--backlog']);
  await delivered(1);
  expect(bodies().at(-1)).toBe('{"n":"while off"}');
  expect(command!.readErrors()).toContain('queued now: 1.');
  await command!.stop();
  const { code, stderr } = await runCli(['listen', '--data', data, '--port', '0', '--backlog']);
  expect([code, stderr.split('\n').length]).toEqual([2, 2]);
});

it('says of a command that begins after an address what the command missed, and calls nothing forwarded not forwarded', async () => {
  backend = await startBackend();
  await post(await listen(['--forward-to', backend.url]), { n: 'forwarded' });
  await delivered(1);
  await command!.stop();
  await listen(['--exec', 'cat']);
  await expect
    .poll(() => command!.readErrors())
    .toContain('1 webhook came while no command was run: --backlog');
  expect(command!.readErrors()).not.toContain('forwarded to an address');
});

it('relays the answer of the backend, and says so where there is none', async () => {
  backend = await startBackend((_request, response) =>
    response.writeHead(418, { 'X-Mine': 'caf\xe9', 'content-type': 'text/tea' }).end('short and stout'),
  );
  const url = await listen(['--forward-to', backend.url, '--relay-answer']);
  const answer = await sendRaw(
    url,
    'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 418 [^]*\r\nX-Mine: caf\xe9\r\n[^]*short and stout$/);
  await backend.close();
  const refused = await post(url, {});
  expect(refused.status).toBe(502);
  expect(await refused.text()).toContain('The webhook is kept.');
  const stored = async (): Promise<unknown[]> => {
    const { stdout } = await runCli(['inbox', 'list', '--json', '--data', data]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Record<string, unknown>)['responded_status']);
  };
  await expect.poll(stored, { timeout: 10_000 }).toEqual([502, 418]);
});

it('waits for a slow backend, and survives one that cuts the connection', async () => {
  let count = 0;
  backend = await startBackend((_request, response, message) => {
    count += 1;
    if (count === 1) message.socket.destroy();
    else setTimeout(() => response.end(), 1500);
  });
  const url = await listen(['--forward-to', backend.url]);
  await post(url, { client_reference: 'R' });
  await delivered(1);
  expect(forwards().map(({ outcome }) => outcome)).toEqual(['retrying', 'delivered']);
  expect(forwards()[0]!['reason']).toContain('closed the connection');
});

it('runs a command with the body on stdin and the facts in its environment, without a secret of ours', async () => {
  const out = join(data, 'seen.txt');
  const script = `cat > "${out}.body"; env > "${out}"; echo done; [ "$COUNTERSIGN_ATTEMPT" = 2 ]`;
  const url = await listen(['--exec', script], {
    COUNTERSIGN_CONSUMER_SECRET: 'hush-hush',
    COUNTERSIGN_TOKEN: 'token-token',
    PGPASSWORD: 'pg-pg',
  });
  const body = '{"status":"$(touch /tmp/never)","client_reference":"a\\nb;\\u0000c"}';
  await post(`${url}/x`, body);
  await delivered(1);
  const [first, second] = forwards();
  expect(first).toMatchObject({ outcome: 'retrying', to: 'exec', output: 'done\n', http_status: null });
  expect(first!['reason']).toContain('exit code is 1');
  expect(second).toMatchObject({ outcome: 'delivered', attempt: 2, reason: null });
  expect(readFileSync(`${out}.body`, 'utf8')).toBe(body);
  const seen = readFileSync(out, 'utf8');
  expect(seen).toContain('COUNTERSIGN_STATUS=$(touch /tmp/never)');
  expect(seen).toContain('COUNTERSIGN_CLIENT_REFERENCE=a\nb;\ufffdc');
  expect(seen).toContain('COUNTERSIGN_PATH=/x');
  for (const secret of ['hush-hush', 'token-token', 'pg-pg']) expect(seen).not.toContain(secret);
});

it.runIf(process.platform === 'linux')('ends a command with us, where we are killed, too', async () => {
  const pids = join(data, 'pids');
  const url = await listen(['--exec', `echo $$ >> "${pids}"; sleep 60 & echo $! >> "${pids}"; wait`]);
  const readPids = (): number[] =>
    existsSync(pids) ? readFileSync(pids, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  const beginNext = async (reference: string, count: number): Promise<void> => {
    await post(url, { client_reference: reference });
    await expect.poll(() => readPids().length, { timeout: 20_000 }).toBe(count);
  };
  // Once the second has begun, the first is known to what ends it, however busy the machine is.
  await beginNext('R', 2);
  const first = readPids();
  await beginNext('S', 4);
  await command!.stop('SIGKILL');
  // One that nobody has fetched yet has ended, too.
  const isRunning = (pid: number): boolean =>
    existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  await expect.poll(() => first.filter(isRunning), { timeout: 20_000 }).toEqual([]);
});

it.each([
  [['--filter', 'status =='], 'filter cannot be read'],
  [['--filter', 'all'], undefined],
])('says a wrong filter %j before it does anything', async (args, message) => {
  const given = ['listen', '--data', join(data, 'none'), '--port', '0', ...args];
  const forward = message === undefined ? [] : ['--forward-to', 'http://127.0.0.1:9'];
  const { code, stderr } = await runCli([...given, ...forward]);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(message ?? '--forward-to');
});

it.each(['127.0.0.1:80', 'ftp://127.0.0.1/', 'http://me:pw@127.0.0.1/', ''])(
  'refuses to forward to %j',
  async (target) => {
    const { code, stderr } = await runCli(['listen', '--data', data, '--port', '0', '--forward-to', target]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).not.toContain('pw@');
  },
);

it('lets one process forward from a folder', async () => {
  await listen(['--forward-to', 'http://127.0.0.1:9']);
  const { code, stderr } = await runCli([
    ...['listen', '--data', data, '--port', '0', '--forward-to', 'http://127.0.0.1:9'],
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('Another Countersign process forwards');
});
