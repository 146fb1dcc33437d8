import { expect, it } from 'vitest';
import type { WebhookSummary } from '../contract/inbox';
import { NoticeGatherer } from './gather-notices';

const webhook = (id: string, more: Partial<WebhookSummary> = {}) =>
  ({
    id,
    method: 'POST',
    path: '/cb',
    status: 'SUCCESS',
    amount: '10',
    clientReference: 'R-1',
    ...more,
  }) as WebhookSummary;

it('says one webhook with its facts, and a burst once, with its count', () => {
  const gatherer = new NoticeGatherer();
  expect(gatherer.take([webhook('a')], 1, 0)).toEqual({
    title: 'A webhook came in',
    body: 'SUCCESS · 10 · R-1',
    webhookId: 'a',
  });
  expect(gatherer.take([webhook('b')], 500, 100)).toBeNull();
  expect(gatherer.take([webhook('c')], 1, 3000)?.title).toBe('502 webhooks came in');
  expect(gatherer.take([], 0, 9000)).toBeNull();
});

it('tells with each notice of all that nobody has seen, the newest first but none of a failure left out for it, and begins anew once they are seen', () => {
  const gatherer = new NoticeGatherer();
  gatherer.take([webhook('a', { status: 'FAILED' })], 1, 0);
  expect(gatherer.take([webhook('b')], 1, 5000)).toEqual({
    title: '2 webhooks came in',
    body: 'SUCCESS · 10 · R-1\nFAILED · 10 · R-1',
    webhookId: 'b',
  });
  const four = ['c', 'd', 'e', 'f'].map((id) => webhook(id, { clientReference: id }));
  expect(gatherer.take(four, 4, 9000)).toEqual({
    title: '6 webhooks came in',
    body: 'SUCCESS · 10 · f\nSUCCESS · 10 · e\nFAILED · 10 · R-1\nand 3 more',
    webhookId: 'f',
  });
  gatherer.take([webhook('g')], 1, 9100);
  gatherer.markSeen();
  expect(gatherer.waitMs(9100)).toBeNull();
  expect(gatherer.take([webhook('h')], 1, 20_000)?.title).toBe('A webhook came in');
});

it('keeps what came too soon after a notice until it may be told, though nothing follows', () => {
  const gatherer = new NoticeGatherer();
  gatherer.take([webhook('a')], 1, 0);
  expect([gatherer.waitMs(0), gatherer.takeWaiting(0)]).toEqual([null, null]);
  gatherer.take([webhook('b', { status: 'FAILED' })], 1, 1000);
  expect([gatherer.waitMs(1000), gatherer.waitMs(5000)]).toEqual([2000, 0]);
  expect(gatherer.takeWaiting(3000)).toMatchObject({
    body: 'FAILED · 10 · R-1\nSUCCESS · 10 · R-1',
    webhookId: 'b',
  });
  expect([gatherer.waitMs(3000), gatherer.take([webhook('c')], 1, 4000), gatherer.waitMs(4000)]).toEqual([
    null,
    null,
    2000,
  ]);
});

it('shows nothing that turns a line around, and no more than a line', () => {
  const odd = webhook('a', { clientReference: `\u202e${'x'.repeat(5000)}` });
  const { body } = new NoticeGatherer().take([odd], 1, 0)!;
  expect(body).not.toContain('\u202e');
  expect(body.length).toBeLessThanOrEqual(200);
});

it('names the method of a webhook that says nothing else, without its path, and leaves out what it does not say', () => {
  const silent = webhook('a', { status: null, amount: null, clientReference: null });
  expect(new NoticeGatherer().take([silent], 1, 0)?.body).toBe('POST without status, amount or reference');
  expect(new NoticeGatherer().take([webhook('a', { amount: null })], 1, 0)?.body).toBe('SUCCESS · R-1');
});

it('keeps what a webhook says to one line of its own, of whole characters', () => {
  const { body } = new NoticeGatherer().take(
    [webhook('a', { clientReference: `x\nand 90 more\u2028${'😀'.repeat(60)}` })],
    1,
    0,
  )!;
  expect(body).toMatch(/^SUCCESS · 10 · x.*and 90 more/);
  expect(body).not.toMatch(/[\n\u2028]/);
  expect(() => encodeURIComponent(body)).not.toThrow();
});
