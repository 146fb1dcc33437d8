import { writeFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventMap, EventName } from '@shared/contract/events';
import { proofHeader } from '@shared/web-proof';
import { startWebServer, type WebServer } from './web-server';
import { isReachedElsewhere } from '../../test/support/other-addresses';
import { makeTemporaryFolder } from '../../test/support/temporary';

let server: WebServer;
const launchUrls: string[] = [];
let publish: (name: EventName, payload: EventMap[EventName]) => void = () => undefined;

beforeAll(async () => {
  const root = makeTemporaryFolder('web');
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Page</title>');
  const outside = makeTemporaryFolder('outside');
  writeFileSync(join(outside, 'secret.json'), '{"secret":1}');
  mkdirSync(join(root, 'assets'));
  symlinkSync(join(outside, 'secret.json'), join(root, 'assets', 'link.json'));
  server = await startWebServer({
    router: {
      dispatch: async (method, input) => ({ ok: true, value: { method, input } }),
      call: async () => ({}) as never,
    },
    events: {
      emit: () => undefined,
      subscribe: () => () => undefined,
      subscribeAll: (listener) => ((publish = listener), () => undefined),
    },
    random: { bytes: (count) => randomBytes(count), uuid: () => randomUUID() },
    root,
    port: 0,
    onLaunchUrl: (url) => launchUrls.push(url),
  });
});
afterAll(() => server.close());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      server.origin + path,
      { method: options.method ?? 'GET', headers: options.headers ?? {} },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (body += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    call.on('error', reject);
    call.end(options.body);
  });
}

let proof = '';

/** Spends the launch address. @returns the cookie; the proof is the same for all */
async function openSession(): Promise<string> {
  const url = new URL(launchUrls.at(-1)!);
  const answer = await ask(url.pathname + url.search);
  proof = /url=\/#proof=([0-9a-f]{64})"/.exec(answer.body)?.[1] ?? '';
  return answer.headers['set-cookie']![0]!.split(';')[0]!;
}

const callWith = (cookie: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask('/api/call', {
    method: 'POST',
    headers: {
      cookie,
      origin: server.origin,
      'content-type': 'application/json',
      [proofHeader]: proof,
      ...headers,
    },
    body: JSON.stringify({ method: 'app.status', input: {} }),
  });

it('keeps a connection through the pauses of a user', async () => {
  const agent = new Agent({ keepAlive: true });
  const call = httpRequest(`${server.origin}/`, { agent }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.headers['keep-alive']).toBe('timeout=120');
  agent.destroy();
});

describe('web server', () => {
  it('exchanges a launch token once for a cookie that scripts and other sites cannot use', async () => {
    const url = new URL(launchUrls.at(-1)!);
    const first = await ask(url.pathname + url.search);
    expect(first.status).toBe(200);
    expect(first.headers['set-cookie']![0]).toMatch(
      /^countersign_\d+=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    const second = await ask(url.pathname + url.search);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
  });

  it('offers a new launch address once the last one was used', async () => {
    const before = launchUrls.length;
    await openSession();
    expect(launchUrls.length).toBe(before + 1);
    expect(launchUrls.at(-1)).not.toBe(launchUrls.at(-2));
  });

  it('answers calls with a session', async () => {
    const answer = await callWith(await openSession());
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ ok: true, value: { method: 'app.status', input: {} } });
  });

  it('finds its cookie behind one that another server on this machine has set', async () => {
    const cookie = await openSession();
    expect((await callWith(`${cookie.split('=')[0]}=tossed; ${cookie}`)).status).toBe(200);
  });

  it('takes a launch address from a file that leads there, which browsers call another site', async () => {
    const url = new URL(launchUrls.at(-1)!);
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await ask(url.pathname + url.search, { headers })).status).toBe(200);
  });

  it('wants a proof beside the cookie, which every server of this machine is sent', async () => {
    const cookie = await openSession();
    for (const wrong of ['', 'x', '0'.repeat(64), cookie.split('=')[1]!]) {
      expect((await callWith(cookie, { [proofHeader]: wrong })).status, wrong).toBe(401);
      const headers = { cookie, [proofHeader]: wrong };
      expect((await ask('/api/events', { headers })).status, wrong).toBe(401);
    }
    expect((await callWith(`${cookie}; proof=${proof}`, { [proofHeader]: '' })).status).toBe(401);
    expect((await callWith('')).status).toBe(401);
  });

  it('finds its cookie among as many and as large ones as a browser keeps', async () => {
    const cookie = await openSession();
    const others = Array.from({ length: 180 }, (_, index) => `other${index}=${'x'.repeat(4000)}`);
    expect((await callWith([...others, cookie].join('; '))).status).toBe(200);
  });

  it.each(['{"method":{"toString":1}}', '{"method":["app.status"]}', 'null'])(
    'takes no method that is not text: %s',
    async (body) => {
      const cookie = await openSession();
      const headers = { cookie, origin: server.origin, [proofHeader]: proof };
      const answer = await ask('/api/call', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      expect(JSON.parse(answer.body)).toMatchObject({ value: { method: '' } });
    },
  );

  it.each([
    ['no cookie', ''],
    ['a wrong cookie', `countersign_x=${'0'.repeat(64)}`],
  ])('refuses calls with %s', async (_name, cookie) => {
    expect((await callWith(cookie)).status).toBe(401);
  });

  it('refuses another Host, as DNS rebinding would send it', async () => {
    const cookie = await openSession();
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example']) {
      expect((await callWith(cookie, { host })).status, host).toBe(421);
    }
  });

  it('refuses another Origin, a null Origin, and a cross-site fetch', async () => {
    const cookie = await openSession();
    expect((await callWith(cookie, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await callWith(cookie, { origin: 'null' })).status).toBe(403);
    expect((await callWith(cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await callWith(cookie, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
  });

  it('refuses a call without an Origin', async () => {
    const cookie = await openSession();
    const answer = await ask('/api/call', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(403);
  });

  it('refuses a form post, which other sites could make', async () => {
    const answer = await callWith(await openSession(), { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
  });

  it('serves the page with a strict policy, to a session alone', async () => {
    expect((await ask('/')).status).toBe(403);
    const page = await ask('/', { headers: { cookie: await openSession() } });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe-eval');
  });

  it('answers on the loopback interface alone', async () => {
    expect(await isReachedElsewhere(Number(new URL(server.origin).port))).toBe(false);
  });

  it('has launch tokens and sessions of 256 bits', async () => {
    const [, session] = (await openSession()).split('=');
    const tokens = launchUrls.map((url) => new URL(url).searchParams.get('token'));
    for (const token of [...tokens, session]) expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([...tokens, session]).size).toBe(launchUrls.length + 1);
  });

  it('lets no other site frame, sniff or be told of any of its answers', async () => {
    const cookie = await openSession();
    const headers = { cookie };
    const answers = {
      page: await ask('/', { headers }),
      refusal: await ask('/'),
      usedLaunch: await ask('/launch?token=none'),
      call: await callWith(cookie),
      noSession: await callWith(''),
      otherHost: await callWith(cookie, { host: 'evil.example' }),
      notFound: await ask('/none.js', { headers }),
      notAllowed: await ask('/', { method: 'PUT', headers: { ...headers, origin: server.origin } }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      expect(answer.headers['content-security-policy'], name).toContain("frame-ancestors 'none'");
      expect(answer.headers, name).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    }
    const { refusal } = answers;
    expect(refusal.status).toBe(403);
    expect(refusal.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(refusal.headers['set-cookie']).toBeUndefined();
    expect(refusal.headers['content-security-policy']).not.toContain("script-src 'unsafe");
  });

  it('refuses a call that is longer than 64 MiB with 413', async () => {
    const headers = {
      cookie: await openSession(),
      [proofHeader]: proof,
      origin: server.origin,
      'content-type': 'application/json',
    };
    const answer = await ask('/api/call', {
      method: 'POST',
      headers,
      body: ' '.repeat(64 * 1024 * 1024 + 1),
    });
    expect(answer.status).toBe(413);
    expect(answer.body).toContain('app.too_large');
  });

  it('has no error for the icon that browsers ask for by themselves', async () => {
    expect((await ask('/favicon.ico')).status).toBe(204);
  });

  it('serves no file from outside its folder', async () => {
    const cookie = await openSession();
    for (const path of [
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/link.json',
      '/index.html%00.json',
      '/%zz',
    ]) {
      expect((await ask(path, { headers: { cookie } })).status, path).toBe(404);
    }
  });

  it('streams events to a session and to nobody else', async () => {
    expect((await ask('/api/events')).status).toBe(401);
    const cookie = await openSession();
    const message = await new Promise<string>((resolve) => {
      const call = httpRequest(
        `${server.origin}/api/events`,
        { headers: { cookie, [proofHeader]: proof } },
        (response) => {
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            if (chunk.includes(': open')) publish('inbox.changed', { unreadCount: 3 });
            if (!chunk.includes('data: ')) return;
            resolve(chunk);
            call.destroy();
          });
        },
      );
      call.on('error', () => undefined);
      call.end();
    });
    expect(message).toBe('data: {"name":"inbox.changed","payload":{"unreadCount":3}}\n\n');
  });

  it('answers what is not JSON with a clear error', async () => {
    const cookie = await openSession();
    const answer = await ask('/api/call', {
      method: 'POST',
      headers: { cookie, [proofHeader]: proof, origin: server.origin, 'content-type': 'application/json' },
      body: '{"method":',
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('app.bad_input');
  });
});
