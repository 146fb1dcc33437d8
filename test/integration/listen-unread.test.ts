import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const COUNT = 24;
const hashOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

it('gives every webhook in its order to a reader that comes late, also those that did not wait in memory', async () => {
  const listener = startCli(['listen', '--port', '0', '--json', '--data', makeTemporaryFolder('unread')]);
  const { url } = await listener.waitForLine(({ event }) => event === 'ready');
  listener.child.stdout!.pause();
  const sent: string[] = [];
  for (let at = 0; at < COUNT; at += 1) {
    const body = `${at} ${'x'.repeat(1024 * 1024)}`;
    sent.push(hashOf(body));
    const answer = await fetch(`${String(url)}/hooks`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }
  // The first ones alone are in the pipe and on the way there.
  expect(listener.lines.length).toBeLessThan(COUNT / 2);
  listener.child.stdout!.resume();
  await expect
    .poll(() => listener.lines.filter(({ event }) => event === 'webhook').length, { timeout: 20_000 })
    .toBe(COUNT);
  const given = listener.lines
    .filter(({ event }) => event === 'webhook')
    .map(({ body_base64: body }) => hashOf(Buffer.from(String(body), 'base64')));
  expect(given).toEqual(sent);
  expect(listener.readErrors()).not.toContain('without a line');
  await listener.stop();
}, 60_000);

it('ends where nobody reads what came in, and says how much of it has no line', async () => {
  const listener = startCli(['listen', '--port', '0', '--json', '--data', makeTemporaryFolder('unread')]);
  const { url } = await listener.waitForLine(({ event }) => event === 'ready');
  listener.child.stdout!.pause();
  for (let at = 0; at < COUNT; at += 1)
    await fetch(`${String(url)}/hooks`, { method: 'POST', body: 'x'.repeat(1024 * 1024) });
  const stopped = listener.stop();
  await expect
    .poll(() => listener.readErrors(), { timeout: 10_000 })
    .toMatch(/\d+ webhooks came faster than stdout was read/);
  listener.child.stdout!.resume();
  await stopped;
  expect(listener.child.exitCode).toBe(0);
}, 60_000);
