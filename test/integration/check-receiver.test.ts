import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createWebhookSecret } from '../../electron/platform/crypto/standard-webhooks';
import { receiverScenarioNames } from '../../shared/receiver-check/receiver-scenarios';
import { because } from '../support/programs';
import { projectRoot, readReadyLine } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const secret = createWebhookSecret();
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill()));

/** Starts a receiver that prints its address first. */
async function startReceiver(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return (await readReadyLine<{ url: string }>(child.stdout)).url;
}

const reference = join(projectRoot, 'resources', 'receiver', 'receiver.mjs');
/** Counts what comes, whatever it is. */
const counting = `
import http.server, json, sys
count = 0
class Receiver(http.server.BaseHTTPRequestHandler):
    def reply(self, status, body=b''):
        self.send_response(status); self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def do_GET(self):
        self.reply(200, json.dumps({'count': count}).encode())
    def do_POST(self):
        global count
        json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        count += 1
        self.reply(200)
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Receiver)
print(json.dumps({'url': 'http://127.0.0.1:%d/hooks' % server.server_address[1]}), flush=True)
server.serve_forever()
`;

it('the reference receiver passes all, over its file, and knows them again when it is started anew', async () => {
  const env = {
    PORT: '0',
    WEBHOOK_SECRET: secret,
    DATA_FILE: join(makeTemporaryFolder('receiver'), 'payments.jsonl'),
  };
  const url = await startReceiver(process.execPath, [reference], env);
  const stateUrl = url.replace('/webhooks', '/state');
  const result = await runOnce(['check-receiver', url, '--state-url', stateUrl, '--json'], {
    env: { COUNTERSIGN_WEBHOOK_SECRET: secret },
  });
  expect(result.json.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(result.json.map(({ scenario }) => scenario)).toEqual(receiverScenarioNames);
  expect(
    result.json.every((line) => typeof line['reason'] === 'string' && Number(line['elapsed_ms']) >= 0),
  ).toBe(true);
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  const kept = await (await fetch(stateUrl)).text();
  expect(JSON.parse(kept)).not.toEqual([]);
  const again = (await startReceiver(process.execPath, [reference], env)).replace('/webhooks', '/state');
  expect(await (await fetch(again)).text()).toBe(kept);
});

it('a receiver in Python that counts everything fails where things come twice, in each report', async ({
  skip,
}) => {
  skip(...because('python3'));
  const url = await startReceiver('python3', ['-c', counting]);
  const check = (...args: string[]) =>
    runOnce([
      'check-receiver',
      url,
      '--state-url',
      url,
      '--scenario',
      'duplicate',
      '--scenario',
      'success',
      ...args,
    ]);
  const [json, junit, html, text] = await Promise.all([
    check('--json', '--scenario', 'retries'),
    check('--reporter', 'junit'),
    check('--reporter', 'html'),
    check(),
  ]);
  // Others count at the same moment: what is judged here is the form alone.
  expect(json.json.map(({ scenario }) => scenario)).toEqual(['success', 'duplicate', 'retries']);
  expect([json.exitCode, junit.exitCode, html.exitCode, text.exitCode]).toEqual([1, 1, 1, 1]);
  expect(junit.stdout).toContain(
    '<testsuites name="check-receiver" tests="2" failures="1" errors="0" skipped="0"',
  );
  expect(html.stdout).toMatch(/^<!doctype html>[^]*1 of 2 scenarios failed/);
  expect(text.stdout).toMatch(/✗ duplicate {12}.* took effect a second time/);
});

it.each([
  ['http://u:pass-word@127.0.0.1:1/'],
  ['http://:pass-word@127.0.0.1:1/'],
  ['http://127.0.0.1:1/', '--state-url', 'http://u:pass-word@127.0.0.1:1/'],
])('refuses a user name or password in an address, and does not repeat it: %s', async (...given) => {
  const { exitCode, stderr } = await runOnce(['check-receiver', ...given]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('without user name and password')]);
  expect(stderr).not.toContain('pass-word');
});

it('signatures are not judged without a secret, and nobody there is exit code 3', async () => {
  const url = await startReceiver(process.execPath, [reference], { PORT: '0' });
  const named = await runOnce(['check-receiver', url, '--scenario', 'old-signature']);
  expect([named.exitCode, named.stderr]).toEqual([2, expect.stringContaining('--secret')]);
  children.at(-1)!.kill();
  await once(children.at(-1)!, 'exit');
  const gone = await runOnce(['check-receiver', url, '--scenario', 'success', '--json']);
  expect([gone.exitCode, gone.stdout]).toEqual([3, '']);
  expect(gone.stderr).toMatch(
    /^\{"event":"error","code":"sending\.unreachable","message":"Cannot reach 127\.0\.0\.1 [^\n]+\}\n$/,
  );
});
