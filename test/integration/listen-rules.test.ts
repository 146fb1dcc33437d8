import { spawnSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('listen-rules');
const at = (name: string): string => join(directory, name);
const write = (name: string, ...rules: object[]): string => {
  writeFileSync(at(name), JSON.stringify({ version: 1, rules }));
  return at(name);
};
const started: RunningCommand[] = [];
afterEach(() => Promise.all(started.splice(0).map((one) => one.stop())));

async function listen(data: string, ...more: string[]): Promise<{ command: RunningCommand; url: string }> {
  const command = startCli(['listen', '--port', '0', '--data', at(data), '--json', ...more]);
  started.push(command);
  const { url } = await command.waitForLine(({ event }) => event === 'ready');
  return { command, url: String(url) };
}
const post = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', body });

describe('listen --rules', () => {
  it('answers by the rules, and keeps at each webhook which one did', async () => {
    const file = write(
      'rules.json',
      {
        name: 'busy',
        when: { path: '/busy' },
        fail_first: 1,
        answer: { status: 202, body: 'ok {{body.client_reference}}' },
      },
      { name: 'gone', when: { body: { '/status': 'FAILED' } }, answer: { drop: true } },
    );
    const { command, url } = await listen('a', '--rules', file);
    expect((await post(`${url}/busy`, '{}')).status).toBe(500);
    const answer = await post(`${url}/busy`, '{"client_reference":"R-1"}');
    expect([answer.status, await answer.text()]).toEqual([202, 'ok R-1']);
    await expect(post(`${url}/any`, '{"status":"FAILED"}')).rejects.toThrow();
    expect((await post(`${url}/any`, '{}')).status).toBe(200);
    await command.waitForLine((line) => line['rule'] === null);
    expect(command.lines.slice(1).map(({ rule }) => rule)).toEqual(['busy', 'busy', 'gone', null]);
    await command.stop();
    const { json } = await runOnce([
      'inbox',
      'list',
      '--data',
      at('a'),
      '--json',
      '--filter',
      'rule == gone',
    ]);
    expect(json).toMatchObject([{ rule: 'gone', responded_status: 0 }]);
    const shown = await runOnce(['inbox', 'show', String(json[0]!['id']), '--data', at('a'), '--json']);
    expect(shown.json[0]).toMatchObject({ rule: 'gone' });
  });

  it('follows the file, and keeps the old rules where a change is faulty', async () => {
    const file = write('live.json', { name: 'one', answer: { status: 201 } });
    const { command, url } = await listen('b', '--rules', file);
    expect((await post(url, '{}')).status).toBe(201);
    const untilSaid = async (text: RegExp): Promise<void> => {
      const end = performance.now() + 20_000;
      while (!text.test(command.readErrors()) && performance.now() < end)
        await new Promise((done) => setTimeout(done, 25));
      expect(command.readErrors()).toMatch(text);
    };
    writeFileSync(file, '{"version":1,"rules":[{"name":"one"}]}');
    await untilSaid(/rules\[0\] cannot be used: .* The rules before this change stay in force\."\}\n/);
    expect((await post(url, '{}')).status).toBe(201);
    // As editors do it: another file takes the name.
    renameSync(write('other.json', { name: 'two', answer: { status: 202 } }), file);
    await untilSaid(/The rules have changed: 1 is in force\./);
    expect((await post(url, '{}')).status).toBe(202);
  });

  it.each([
    ['no such file', () => at('missing.json'), 'there is no such file'],
    ['a folder', () => directory, 'it is no plain file'],
    ['a pipe', () => (spawnSync('mkfifo', [at('pipe')]), at('pipe')), 'it is no plain file'],
    [
      'what is too large',
      () => (writeFileSync(at('large'), ' '.repeat(300_000)), at('large')),
      'larger than 256 KiB',
    ],
    [
      'what is not UTF-8',
      () => (writeFileSync(at('bytes'), Buffer.from([0xff, 0xfe])), at('bytes')),
      'not UTF-8',
    ],
    ['what nests deep', () => (writeFileSync(at('deep'), '['.repeat(90_000)), at('deep')), 'deeper than 16'],
    ['an unknown name', () => write('unknown.json', { anser: 1 }), "'anser' is not known"],
  ])('refuses %s before it listens', async (_name, make, what) => {
    const { exitCode, stdout, stderr } = await runOnce([
      'listen',
      '--port',
      '0',
      '--data',
      at('c'),
      '--rules',
      make(),
    ]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^countersign: [^\n]+\n$/);
    expect(stderr).toContain(what);
  });
});

describe('listen', () => {
  it('checks signatures by the secrets that it was given', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { command, url } = await listen('d', '--secret', secret);
    const body = '{"client_reference":"S-1"}';
    const file = at('signed.json');
    writeFileSync(file, body);
    const signed = await runOnce(['webhook', 'sign', '--body', file, '--secret', secret, '--json']);
    const headers = signed.json[0]!['headers'] as [string, string][];
    await fetch(url, { method: 'POST', body, headers });
    await fetch(url, { method: 'POST', body: `${body} `, headers });
    await post(url, body);
    await command.waitForLine(({ verdict }) => verdict === 'unsigned');
    expect(command.lines.slice(1).map(({ verdict }) => verdict)).toEqual(['valid', 'invalid', 'unsigned']);
    await command.stop();
    const { json } = await runOnce([
      'inbox',
      'list',
      '--data',
      at('d'),
      '--json',
      '--filter',
      'verdict == invalid',
    ]);
    expect(json).toMatchObject([{ size_bytes: body.length + 1 }]);
  });

  it('is signed for in seconds alone: milliseconds are refused before anything is signed', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const file = at('late.json');
    writeFileSync(file, '{}');
    const sign = ['webhook', 'sign', '--body', file, '--secret', secret, '--timestamp'];
    const { exitCode, stdout, stderr } = await runOnce([...sign, '1795827062000']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--timestamp takes seconds since 1970; 1795827062000 looks like milliseconds.');
    expect((await runOnce([...sign, '1795827062'])).exitCode).toBe(0);
  });

  it('takes only what is sent below its secret path, and cuts what is too long', async () => {
    const { command, url } = await listen('e', '--secret-path', '--max-body-kib', '1');
    expect(new URL(url).pathname).toMatch(/^\/[A-Za-z0-9_-]{32}$/);
    expect((await post(new URL('/hooks', url).href, '{}')).status).toBe(404);
    expect((await post(`${url}/hooks`, '{}')).status).toBe(200);
    expect((await post(`${url}/hooks`, 'x'.repeat(5000))).status).toBe(413);
    const cut = await command.waitForLine((line) => line['responded_status'] === 413);
    expect(cut).toMatchObject({ is_cut: true, size_bytes: 5000 });
    expect(Buffer.from(String(cut['body_base64']), 'base64').length).toBe(1024);
    expect(command.lines).toHaveLength(3);
  });
});
