import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/free-port';
import { projectRoot, startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('backends');
const data = join(directory, 'data');
const fixture = (name: string): string => join(projectRoot, 'test', 'fixtures', 'backends', name);
const env = {
  COUNTERSIGN_CONSUMER_KEY: 'ck_backends',
  COUNTERSIGN_CONSUMER_SECRET: 'cs_backends_0123456789',
};
const credentials = {
  CONSUMER_KEY: env.COUNTERSIGN_CONSUMER_KEY,
  CONSUMER_SECRET: env.COUNTERSIGN_CONSUMER_SECRET,
};
const keyFile = join(directory, 'private.pem');
const running: RunningCommand[] = [];
const children: ChildProcess[] = [];
let proxyUrl = '';

function has(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const hasPhp = has('php', '-r', 'exit(extension_loaded("openssl") ? 0 : 1);');
const backends = [
  ['Python', 'python3', 'backend.py', has('python3', '--version') && has('openssl', 'version')],
  ['PHP', 'php', 'backend.php', hasPhp],
] as const;

beforeAll(async () => {
  mkdirSync(data);
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicKey = join(directory, 'public.pem');
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(keyFile, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const shared = ['--port', '0', '--data', data, '--public-key', publicKey, '--json'];
  const sandbox = startCli(['sandbox', '--settle-ms', '20', '--retries', 'none', ...shared], { env });
  running.push(sandbox);
  const { base_url: target } = await sandbox.waitForLine(({ event }) => event === 'ready');
  const proxy = startCli(['proxy', '--to', String(target), ...shared]);
  running.push(proxy);
  proxyUrl = String((await proxy.waitForLine(({ event }) => event === 'ready'))['url']);
});
afterAll(async () => {
  for (const child of children) child.kill();
  await Promise.all(running.map((one) => one.stop()));
});

describe.each(backends)('a backend in %s', (name, command, file, isThere) => {
  const proxy = (): RunningCommand => running[1]!;
  const pay = async (reference: string, separator = ''): Promise<number[]> => {
    const args = [fixture(file), proxyUrl, keyFile, reference, 'http://127.0.0.1:9/hooks', separator];
    const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, ...credentials } });
    return JSON.parse(stdout) as number[];
  };

  it.skipIf(!isThere)(
    `is understood whole (${command} is ${isThere ? 'there' : 'not installed'})`,
    async () => {
      expect(await pay(`${name}-right`)).toEqual([201, 200, 200, 200]);
      const sent = await proxy().waitForLine(({ reference }) => reference === `${name}-right`);
      expect(sent).toMatchObject({
        operation: 'payout',
        http_status: 201,
        signature: { valid: true },
        token: { product: 'payout', is_expired: false },
        field_problems: [],
      });
      expect((await pay(`${name}-wrong`, '|')).slice(0, 2)).toEqual([401, 401]);
      const refused = await proxy().waitForLine(
        ({ reference, operation }) => reference === `${name}-wrong` && operation === 'payout',
      );
      expect(refused).toMatchObject({ signature: { valid: false, causes: [{ code: 'string.separator' }] } });
    },
  );
});

it.skipIf(!hasPhp)('the report names what they did wrong, with the exchanges that show it', async () => {
  const report = await runOnce(['report', '--data', data, '--format', 'json']);
  expect(report.stderr).toBe('');
  const { rules } = JSON.parse(report.stdout) as {
    rules: { rule: string; verdict: string; evidence: string[] }[];
  };
  const find = (wanted: string) => rules.find(({ rule }) => rule === wanted)!;
  expect(report.exitCode).toBe(1);
  expect(find('signature.sent')).toMatchObject({ verdict: 'broken', evidence: expect.any(Array) });
  expect(find('signature.sent').evidence.every((id) => id.startsWith('px_'))).toBe(true);
  expect(
    ['token.reused', 'balances.checked', 'timestamp.form', 'url.no_secret'].map((rule) => find(rule).verdict),
  ).toEqual(['held', 'held', 'held', 'held']);
});

async function startPhpReceiver(name: string, settings: Record<string, string>): Promise<string> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const child = spawn('php', ['-S', address, fixture('receiver.php')], {
    env: { ...process.env, STATE_FILE: join(directory, `${name}.json`), ...settings },
    stdio: 'ignore',
  });
  children.push(child);
  for (let turn = 0; turn < 200; turn++) {
    if (
      await fetch(`http://${address}/`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    await new Promise((done) => setTimeout(done, 25));
  }
  return `http://${address}/hooks`;
}

it.skipIf(!hasPhp)('a receiver in PHP passes, and fails exactly where it is careless', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const scenarios = ['duplicate', 'duplicate-at-once', 'wrong-signature', 'rotated-signature', 'redirect'];
  const check = async (name: string, settings: Record<string, string>) => {
    const url = await startPhpReceiver(name, { WEBHOOK_SECRET: secret, ...settings });
    const chosen = scenarios.flatMap((one) => ['--scenario', one]);
    const result = await runOnce(['check-receiver', url, '--state-url', url, '--json', ...chosen], {
      env: { COUNTERSIGN_WEBHOOK_SECRET: secret },
    });
    return result.json.filter(({ verdict }) => verdict === 'fail').map(({ scenario }) => scenario);
  };
  const [careful, careless] = await Promise.all([check('careful', {}), check('careless', { BROKEN: '1' })]);
  expect(careful).toEqual([]);
  expect(careless).toEqual(['duplicate', 'duplicate-at-once']);
});
