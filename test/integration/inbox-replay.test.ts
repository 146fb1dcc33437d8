import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce, type CliResult } from './cli-once';

const directory = makeTemporaryFolder('inbox-replay');
const data = join(directory, 'data');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Odd on purpose: what is parsed and written again would not look like this. */
const body =
  '{ "status":"SUCCESS",\n\t"amount": 1000.00, "client_reference":"R-1", "data":{"items":[1e3, {"n":"\\u00e9"}]} }';

interface Seen {
  line: string;
  headers: string[];
  body: string;
}
let listener: RunningCommand;
let target: Server;
let to = '';
let seen: Seen[] = [];
let answer = 200;

const record = async (request: IncomingMessage): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  seen.push({
    line: `${request.method} ${request.url}`,
    headers: request.rawHeaders,
    body: Buffer.concat(chunks).toString('utf8'),
  });
};
const inbox = (command: string, ...args: string[]): Promise<CliResult> =>
  runOnce(['inbox', command, '--data', data, ...args]);
const replay = (...args: string[]): Promise<CliResult> => {
  seen = [];
  return inbox('replay', '--json', ...args);
};

beforeAll(async () => {
  target = createServer((request, response) => {
    void record(request).then(() =>
      response.writeHead(answer, { Location: '/elsewhere' }).end('{"ok":true}'),
    );
  });
  await new Promise<void>((done) => target.listen(0, '127.0.0.1', done));
  to = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  listener = startCli(['listen', '--port', '0', '--data', data, '--json']);
  const { url } = await listener.waitForLine(({ event }) => event === 'ready');
  const post = (path: string, text: string): Promise<Response> =>
    fetch(`${String(url)}${path}`, {
      method: 'POST',
      body: text,
      headers: { 'Content-Type': 'application/json', 'Webhook-Id': 'wh_1', 'X-Api-Key': 'kept-whole' },
    });
  await post('/hooks/payments?try=1', body);
  await post('/hooks/payments', '{"status":"FAILED","client_reference":"R-2","amount":"7"}');
  await post('/other', 'not json');
});
afterAll(async () => {
  await listener.stop();
  target.close();
});

describe('inbox wait', () => {
  it('prints one that is there already, as listen does', async () => {
    const { exitCode, json } = await inbox('wait', '--json', '--reference', 'R-1', '--within', '5s');
    const { event, id, ...rest } = listener.lines[1]!;
    expect(exitCode).toBe(0);
    expect(json[0]).toMatchObject({ event, id });
    // How long the answer took is noted after the line was printed.
    expect({ ...json[0], answered_ms: null }).toMatchObject({ ...rest, answered_ms: null });
  });

  it('waits for one that comes later', async () => {
    const waiting = inbox(
      'wait',
      '--json',
      '--reference',
      'R-late',
      '--status',
      'SUCCESS',
      '--within',
      '60s',
    );
    const { url } = listener.lines[0] as { url: string };
    for (const status of ['FAILED', 'SUCCESS']) {
      await fetch(url, { method: 'POST', body: JSON.stringify({ status, client_reference: 'R-late' }) });
    }
    const { exitCode, json } = await waiting;
    expect([exitCode, json[0]!['status']]).toEqual([0, 'SUCCESS']);
  });

  it('ends with 3 when the time is over, and with 2 on wrong usage', async () => {
    const late = await inbox('wait', '--reference', 'never', '--within', '150ms');
    expect([late.exitCode, late.stdout]).toEqual([3, '']);
    expect(late.stderr).toMatch(/^countersign: No such webhook came within 150ms\. \(cli\.timed_out\)\n$/);
    for (const args of [[], ['--reference', 'a', '--within', 'soon'], ['--filter', 'status =']]) {
      const wrong = await inbox('wait', ...args);
      expect([wrong.exitCode, wrong.stdout, wrong.stderr.split('\n').length]).toEqual([2, '', 2]);
    }
  });
});

describe('inbox list, show and export', () => {
  it('take the same filter', async () => {
    const listed = await inbox(
      'list',
      '--json',
      '--filter',
      'body.amount >= 1000 and path == /hooks/payments',
    );
    expect(listed.json.map((one) => one['client_reference'])).toEqual(['R-1']);
    const exported = await inbox('export', '--json', '--filter', 'reference == R-2');
    expect(exported.json).toHaveLength(1);
    const wrong = await inbox('list', '--filter', 'status == A B');
    expect([wrong.exitCode, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain('at character 13');
  });
});

describe('inbox replay', () => {
  it('sends the bytes as received, in order of arrival, and keeps the answers', async () => {
    answer = 201;
    const { exitCode, json } = await replay(
      '--filter',
      'reference contains R- and not reference == R-late',
      '--to',
      to,
    );
    const ids = listener.lines.slice(1, 3).map(({ id }) => id);
    expect(exitCode).toBe(0);
    expect(json).toEqual(ids.map((id) => ({ event: 'replayed', id, http_status: 201 })));
    expect(seen.map(({ line }) => line)).toEqual(['POST /hooks/payments?try=1', 'POST /hooks/payments']);
    expect(seen[0]!.body).toBe(body);
    expect(seen[0]!.headers.join('\n')).toContain('Webhook-Id\nwh_1\nX-Api-Key\nkept-whole');
    const shown = await inbox('show', '--json', String(ids[0]));
    expect(shown.json[0]!['replays']).toMatchObject([
      { http_status: 201, is_edited: false, body: '{"ok":true}' },
    ]);
  });

  it('sends path and headers byte for byte, whatever they are', async () => {
    const path = `/a/../{b}[1]'"?x=%zz|y`;
    const { hostname, port } = new URL(String(listener.lines[0]!['url']));
    const socket = connect(Number(port), hostname);
    socket.end(
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Latin: \u00e9\u00ff\r\nContent-Length: 2\r\n\r\n{}`,
        'latin1',
      ),
    );
    const { id } = await listener.waitForLine((line) => String(line['path']).startsWith('/a/../'));
    await replay(String(id), '--to', to);
    expect(seen[0]!.line).toBe(`POST ${path}`);
    expect(seen[0]!.headers.join('\n')).toContain('X-Latin\n\u00e9\u00ff');
    await replay(String(id), '--to', `${to}/own?y=1`);
    expect(seen[0]!.line).toBe('POST /own?y=1');
  });

  it('sends those that are named in the order of their arrival, and nothing where one of them is not there', async () => {
    const [first, second] = listener.lines.slice(1, 3).map(({ id }) => String(id));
    const { json } = await replay(second!, first!, '--to', to);
    expect(json.map(({ id }) => id)).toEqual([first, second]);
    const { exitCode, stdout } = await replay(second!, 'zzzzzzzzzzz', '--to', to);
    expect([exitCode, stdout, seen.length]).toEqual([2, '', 0]);
  });

  it('changes the bytes of one value alone, and signs anew', async () => {
    answer = 200;
    const id = String(listener.lines[1]!['id']);
    const edits = ['--edit', 'data.items.1.n="x"', '--edit', '/amount=1000.10'];
    const { exitCode } = await replay(
      id,
      '--to',
      `${to}/other?a=b`,
      ...edits,
      '--resign',
      '--secret',
      secret,
    );
    expect(exitCode).toBe(0);
    expect(seen[0]!.line).toBe('POST /other?a=b');
    expect(seen[0]!.body).toBe(body.replace('1000.00', '1000.10').replace('"\\u00e9"', '"x"'));
    const header = (name: string): string =>
      seen[0]!.headers[seen[0]!.headers.findIndex((one) => one.toLowerCase() === name) + 1]!;
    const verified = await runOnce(
      ['webhook', 'verify', '--json', '--body', '-', '--secret', secret, '--id', header('webhook-id'),
       '--timestamp', header('webhook-timestamp'), '--signature', header('webhook-signature')],
      { input: seen[0]!.body },
    ); // prettier-ignore
    expect(verified.json).toEqual([
      { valid: true, verdict: 'valid', reason: null, secret_index: 0, causes: [] },
    ]);
    expect(header('webhook-id')).toBe('wh_1');
  });

  it('says what the sender of a webhook whose signature does not fit did otherwise, and where nothing tells, that', async () => {
    const sign = (key: string, message: string): string =>
      `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const verify = (signature: string, ...more: string[]): Promise<CliResult> =>
      runOnce(
        ['webhook', 'verify', '--body', '-', '--secret', secret, '--id', 'wh_1', '--timestamp', timestamp,
         '--signature', signature, ...more],
        { input: body },
      ); // prettier-ignore
    const rewritten = JSON.stringify(JSON.parse(body));
    const { exitCode, stdout } = await verify(sign(secret, `wh_1.${timestamp}.${rewritten}`));
    expect(stdout).toBe(
      'not valid: Signed with the text of the secret, whsec_ and all, as the key, and over the body written anew, minified, numbers rewritten, which is not what came: the key is what stands behind whsec_, decoded from Base64 into bytes, and sign the bytes that are sent, and send them as they were signed.\n',
    );
    expect(exitCode).toBe(1);
    const { json } = await verify(sign(secret, `${timestamp}.${body}`), '--json');
    expect((json[0]!['causes'] as { part: string }[]).map(({ part }) => part)).toEqual(['secret', 'content']);
    const unknown = await verify(sign('another', `wh_1.${timestamp}.${body}`));
    expect(unknown.stdout).toMatch(
      /^not valid: No signature fits: another secret signed it, its bytes were changed, or its sender signs otherwise\. (?:The search ended after five seconds: )?[\d,]+ ways to sign it otherwise were tried, and none of them gives this signature\.\n$/,
    );
  });

  it('sends each so often, at most so many a second', async () => {
    const startedAt = performance.now();
    const { json } = await replay(
      '--since',
      '10m',
      '--filter',
      'reference == R-2',
      '--to',
      to,
      '--times',
      '5',
      '--rate',
      '20',
    );
    expect(json).toHaveLength(5);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(200);
  });

  it('ends with 1 where the target refused one, and follows no redirect', async () => {
    for (answer of [500, 302]) {
      const { exitCode, json } = await replay('--filter', 'reference == R-2', '--to', to);
      expect([exitCode, json[0]!['http_status'], seen.length]).toEqual([1, answer, 1]);
    }
    answer = 200;
  });

  it('passes over one that was deleted meanwhile, says so, and sends those that came after it', async () => {
    const url = String(listener.lines[0]!['url']);
    for (const text of ['1', '2', '3']) await fetch(`${url}/gone`, { method: 'POST', body: text });
    const [third, second, first] = (await inbox('list', '--json', '--filter', 'path == /gone')).json.map(
      ({ id }) => String(id),
    );
    let isDeleted: Promise<CliResult> | null = null;
    let count = 0;
    const slow = createServer((_request, response) => {
      if (++count < 3) response.end('ok');
      else void (isDeleted ??= inbox('mark', second!, '--delete')).then(() => response.end('ok'));
    });
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
    const at = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const { exitCode, json, stderr } = await replay('--filter', 'path == /gone', '--times', '2', '--to', at);
    slow.close();
    expect(json.map(({ id }) => id)).toEqual([first, first, second, third, third]);
    const said = `"${second} is not sent again: it is not there any more."`;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(said)]);
  });

  it('leaves a word of what was sent and cut off before its answer', async () => {
    const silent = createServer((request) => void record(request));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const id = String(listener.lines[3]!['id']);
    const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const command = startCli(['inbox', 'replay', id, '--to', at, '--data', data]);
    await once(silent, 'request');
    await command.stop('SIGKILL');
    silent.closeAllConnections();
    silent.close();
    const shown = await inbox('show', '--json', id);
    expect(shown.json[0]!['replays']).toMatchObject([
      {
        http_status: null,
        reason: expect.stringMatching(/^No answer is known/) as unknown,
        url: `${at}/other`,
      },
    ]);
  });

  it('ends with 3 where it cannot be reached', async () => {
    const { exitCode, stdout, stderr } = await replay(
      '--filter',
      'reference == R-2',
      '--to',
      'http://127.0.0.1:1',
    );
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^\{"event":"error","code":"sending\.unreachable",[^\n]+\}\n$/);
  });

  it.each([
    [['--filter', 'all'], '--to URL is missing'],
    [['--to', 'TO'], 'Name the webhooks'],
    [['x', '--since', '1m', '--to', 'TO'], 'IDs exclude'],
    [['--since', 'yesterday', '--to', 'TO'], '--since takes'],
    [['--filter', 'status ==', '--to', 'TO'], 'character 10'],
    [['00000000000', '--to', 'TO'], 'There is no webhook with this id'],
    [['--filter', 'reference == R-1', '--to', 'ftp://x'], 'not an absolute http'],
    [['--filter', 'reference == R-1', '--to', 'http://u:p@127.0.0.1'], 'user name or password'],
    [['--filter', 'reference == none', '--to', 'nowhere'], 'not an absolute http'],
    [['--filter', 'reference == none', '--to', 'TO', '--edit', 'amount'], 'is no change such as'],
    [['--filter', 'all', '--to', 'TO', '--edit', 'amount=2'], 'its body'],
    [['--filter', 'reference == R-1', '--to', 'TO', '--edit', 'amount'], 'is no change such as'],
    [['--filter', 'reference == R-1', '--to', 'TO', '--edit', 'amount=x'], "'x' is not JSON"],
    [['--filter', 'reference == R-1', '--to', 'TO', '--edit', 'amount.b=1'], 'no value at amount.b'],
    [['--filter', 'all', '--to', 'TO', '--resign'], '--resign needs'],
    [['--filter', 'all', '--to', 'TO', '--resign', '--secret', 'whsec_%'], 'cannot be used'],
    [['--filter', 'all', '--to', 'TO', '--times', '0'], '--times takes'],
    [['--filter', 'all', '--to', 'TO', '--resign', '--keep-headers'], 'exclude each other'],
    [['--filter', 'all', '--to', 'TO', '--secret', `whsec_${'A'.repeat(32)}`], '--resign signs with'],
  ])('refuses %j with 2, and sends nothing', async (args, what) => {
    const { exitCode, stdout, stderr } = await replay(...args.map((one) => (one === 'TO' ? to : one)));
    expect([exitCode, stdout, seen.length]).toEqual([2, '', 0]);
    expect(stderr).toMatch(/^\{"event":"error",[^\n]+\}\n$/);
    expect(stderr).toContain(what);
  });
});

const findId = async (filter: string): Promise<string> =>
  String((await inbox('list', '--json', '--filter', filter)).json[0]!['id']);

describe('inbox compare, mark and show --rules, journey', () => {
  it('says of what stands in a webhook without a reference that it came, and that no journey has it', async () => {
    const loose = await runOnce(['journey', 'not json', '--data', data]);
    expect([loose.exitCode, loose.stderr]).toEqual([2, expect.stringContaining('it names no reference')]);
  });

  it('compares by meaning and by bytes, and ends with 1 where two do not mean the same', async () => {
    const url = (listener.lines[0] as { url: string }).url;
    for (const text of ['{"a":1.50,"b":[1]}', '{"b":[1],"a":1.5}', '{"b":[2],"a":1.5}']) {
      await fetch(`${url}/compared`, { method: 'POST', body: text });
    }
    await inbox('wait', '--filter', 'path == /compared and body.b == 2', '--within', '10s');
    const { json } = await inbox('list', '--json', '--filter', 'path == /compared');
    const [changed, moved, first] = json.map(({ id }) => String(id));
    const same = await inbox('compare', '--json', first!, moved!);
    expect([same.exitCode, same.json[0]]).toMatchObject([
      0,
      { is_same: true, first_byte: 3, differences: [{ kind: 'written' }, { kind: 'moved' }] },
    ]);
    const other = await inbox('compare', moved!, changed!);
    expect([other.exitCode, other.stdout]).toEqual([
      1,
      'The bytes differ from byte 7 on.\n/b/0  changed  1  →  2\n',
    ]);
  });

  it('notes, pins and deletes those that are named', async () => {
    const id = await findId('path == /other');
    const marks = ['--pin', '--read', '--note', 'look\nhere', '--tags', 'late, mine'];
    expect((await inbox('mark', id, ...marks)).exitCode).toBe(0);
    expect((await inbox('list', '--json', '--filter', 'pinned and tag == mine')).json).toMatchObject([
      { id, is_pinned: true, is_read: true, note: 'look\nhere', tags: ['late', 'mine'] },
    ]);
    expect((await inbox('mark', id, '--delete')).exitCode).toBe(0);
    const again = await inbox('mark', id, '--delete');
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('0 of 1 deleted') });
  });

  it('says of those that it was to mark which were not there, whatever the mark', async () => {
    const id = await findId('reference == R-1');
    for (const mark of ['--read', '--unread', '--pin', '--unpin']) {
      const marked = await inbox('mark', id, 'zzzzzzzzz00', 'none', mark);
      expect(marked, mark).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('1 of 3 marked') });
    }
    const told = await inbox('mark', id, 'none', '--pin', '--json');
    expect([told.exitCode, told.json]).toEqual([1, [{ event: 'marked', count: 1 }]]);
    expect(JSON.parse(told.stderr)).toMatchObject({ event: 'error', code: 'cli.not_found', exit_code: 1 });
  });

  it('tells what rules would answer before they are used', async () => {
    const rules = join(directory, 'tried.json');
    const answer = { status: 202, body: 'seen {{body.client_reference}} {{header.x-api-key}}' };
    writeFileSync(
      rules,
      JSON.stringify({
        version: 1,
        rules: [{ name: 'by amount', when: { body: { '/amount': '7' } }, answer }],
      }),
    );
    const hit = await inbox('show', await findId('reference == R-2'), '--rules', rules, '--json');
    expect(hit.json[0]!['would_answer']).toMatchObject({
      rule: 'by amount',
      http_status: 202,
      body: expect.stringMatching(/^seen R-2 (?!kept-whole)./),
    });
    const miss = await inbox('show', await findId('reference == R-1'), '--rules', rules);
    expect(miss.stderr).toContain('none would answer it');
  });

  it("tells a payment's timeline, found by any identifier, as Markdown and as HTML", async () => {
    const markdown = await runOnce(['journey', 'R-2', '--data', data]);
    expect([markdown.exitCode, markdown.stdout.split('\n')[0]]).toEqual([0, '# Payment R-2']);
    const html = await runOnce(['journey', 'R-2', '--format', 'html', '--data', data]);
    expect(html.stdout).toMatch(/^<!doctype html>/);
    const none = await runOnce(['journey', 'nobody', '--data', data]);
    expect([none.exitCode, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('(journey.unknown)');
  });
});
