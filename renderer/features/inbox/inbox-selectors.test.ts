import { describe, expect, it } from 'vitest';
import { writeWebhookAsCurl } from '@shared/webhooks/write-webhook';
import { makeWebhookSummary } from '../../../test/support/webhook-summary';
import { describeRule, isolate, lineOf, ordinal, readHexLines, tagOf, titleOf } from './inbox-selectors';

const webhook = makeWebhookSummary({
  receivedAt: 10_000,
  path: '/hooks/payments',
  sizeBytes: 214,
  contentType: 'application/json',
  status: 'SUCCESS',
  amount: '1500.00',
  clientReference: 'INV-1',
  paymentUuid: '88',
  answers: { exchangeId: 'x', title: 'To M-Pesa', operation: 'remittance', sentAt: 8_400, currency: 'KES' },
});

describe('inbox selectors', () => {
  it('names what a webhook is about', () => {
    expect(titleOf(webhook)).toBe('Remittance KES 1,500.00');
    expect(titleOf({ ...webhook, answers: null })).toBe('Webhook 1,500.00');
    expect(
      titleOf({
        ...webhook,
        status: null,
        clientReference: null,
        paymentUuid: null,
        sizeBytes: 2_100_000,
        contentType: 'text/xml; charset=utf-8',
      }),
    ).toBe('Not read: 2.1 MB, text/xml');
    const unread = { ...webhook, status: null, clientReference: null, paymentUuid: null };
    expect(lineOf(unread).told).toBe('no known field; kept as received');
    const empty = { ...unread, sizeBytes: 0 };
    expect([titleOf(empty), lineOf(empty).told]).toEqual(['No body', '']);
    // It may well have a status: nobody looked.
    expect(lineOf({ ...unread, sizeBytes: 1024 * 1024 + 1 }).told).toBe(
      'over 1 MiB: kept as received, not looked into',
    );
  });

  it('says in one line what it answers and how late', () => {
    expect(lineOf(webhook)).toEqual({ about: 'INV-1', told: '+1.6 s · To M-Pesa' });
    expect(lineOf({ ...webhook, receivedAt: 8_400 + 3 * 86_400_000 }).told).toBe('3 days late · To M-Pesa');
    expect(lineOf({ ...webhook, answers: null }).told).toBe('answers no known request');
    expect(lineOf({ ...webhook, answers: null, answersOneOf: 2 }).told).toBe('answers one of 2 payments');
  });

  it('keeps right-to-left references from turning the sentence around', () => {
    expect(isolate('دفعة')).toBe('\u2066دفعة\u2069');
    expect(isolate('\u202egnp.exe')).toBe('[RLO]gnp.exe');
  });

  it('says when it came again and when it was not answered 2xx', () => {
    expect(lineOf({ ...webhook, earlierAttempts: 2, respondedStatus: 500 }).told).toMatch(
      /^we answered 500 · attempt 3 · /,
    );
  });

  it('gives every status a tone, and unknown ones a quiet one', () => {
    expect(tagOf(webhook).tone).toBe('good');
    expect(tagOf({ ...webhook, status: 'FAILED' }).tone).toBe('bad');
    expect(tagOf({ ...webhook, status: 'ODD' })).toEqual({ text: 'ODD', tone: 'quiet' });
    expect(tagOf({ ...webhook, status: null }).text).toBe('unknown');
  });

  it('reads ordinals and rules', () => {
    expect([1, 2, 3, 4, 11, 12, 21].map(ordinal)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '21st',
    ]);
    expect(describeRule({ respondStatus: 200, delayMs: 0 })).toBe('200 at once');
    expect(describeRule({ respondStatus: 503, delayMs: 5000 })).toBe('503 after 5.0 s');
  });

  it('shows bytes in lines of sixteen and says when it cuts', () => {
    const { lines, isCut } = readHexLines(btoa('0123456789abcdef\u00ff'), 10);
    expect(lines[1]).toEqual({ offset: '000010', hex: 'ff', text: '·' });
    expect(isCut).toBe(false);
    expect(readHexLines(btoa('x'.repeat(40)), 1).isCut).toBe(true);
  });

  it('copies a webhook as a command that sends the same bytes', () => {
    const body = `{"a":"it's é"}`;
    const bytes = btoa(String.fromCharCode(...new TextEncoder().encode(body)));
    const text = writeWebhookAsCurl(
      {
        method: 'POST',
        path: '/hooks?x=1',
        headers: [
          ['Host', 'h'],
          ['webhook-id', 'w'],
        ],
        body,
        bodyBase64: bytes,
      },
      'http://127.0.0.1:4020',
    );
    expect(text).toContain("curl 'http://127.0.0.1:4020/hooks?x=1'");
    expect(text).toContain(`--data-raw '{"a":"it'\\''s é"}'`);
    expect(text).not.toContain('Host');
  });

  it('keeps bytes that are not text by way of base64', () => {
    const text = writeWebhookAsCurl(
      { method: 'POST', path: '/h', headers: [], body: '\ufffd', bodyBase64: btoa('\u00ff') },
      'http://127.0.0.1:1',
    );
    expect(text).toContain("printf %s '/w==' | base64 -d | curl");
    expect(text).toContain('--data-binary @-');
  });
});
