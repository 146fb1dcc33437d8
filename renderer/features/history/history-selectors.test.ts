import type { Exchange, ExchangeSummary } from '@shared/contract/sending';
import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { mergeTop, shortenUrl, tagOf } from './history-selectors';
import { findLost } from './resend';
import { writeDraft } from './write-draft';

const row = (id: string): ExchangeSummary => ({
  id,
  environment: 'local',
  operation: 'payout',
  identity: null,
  title: 'Payout',
  sentAt: 0,
  reference: null,
  method: 'POST',
  url: 'http://x/',
  httpStatus: 201,
  totalMs: 1,
  outcome: 'accepted',
  summary: '',
  isPinned: false,
});
it('shows an address as it was kept, without what most have in common', () => {
  expect(shortenUrl('HTTPS://pay.example/a?api_key=very…e123&q=é')).toBe(
    'pay.example/a?api_key=very…e123&q=é',
  );
});

/** Lists by their ids, newest first, each with where it goes on. */
function merge(known: string, knownNext: string | null, page: string, pageNext: string | null) {
  const read = (ids: string, nextBefore: string | null) => ({ rows: [...ids].map(row), nextBefore });
  const { rows, nextBefore } = mergeTop(read(known, knownNext), read(page, pageNext));
  return [rows.map(({ id }) => id).join(''), nextBefore];
}

describe('the list', () => {
  it('takes what came and drops what went, and keeps the pages below', () => {
    expect(merge('dcba', null, 'edb', 'b')).toEqual(['edba', null]);
    expect(merge('dc', null, 'd', null)).toEqual(['d', null]);
    expect(merge('dc', null, '', null)).toEqual(['', null]);
  });

  it('drops what no longer follows on, so that nothing between is left out', () => {
    expect(merge('cba', 'a', 'hgf', 'f')).toEqual(['hgf', 'f']);
    expect(merge('cba', 'a', 'fed', 'd')).toEqual(['fed', 'd']);
    expect(merge('dcba', 'a', 'fed', 'd')).toEqual(['fedcba', 'a']);
    // A search that stopped before it found anything.
    expect(merge('cba', 'a', '', 'f')).toEqual(['', 'f']);
  });

  it('says in a word how a request ended', () => {
    expect(tagOf(row('a'))).toEqual({ text: '201', tone: 'good' });
    expect(tagOf({ httpStatus: 200, outcome: 'duplicate', summary: '' })).toEqual({
      text: '200',
      tone: 'warn',
    });
    expect(tagOf({ httpStatus: 401, outcome: 'unauthorized', summary: '' }).tone).toBe('bad');
    expect(tagOf({ httpStatus: null, outcome: null, summary: 'No answer came.' }).text).toBe('no answer');
    expect(tagOf({ httpStatus: null, outcome: null, summary: 'No answer yet' }).text).toBe('under way');
    expect(tagOf({ httpStatus: null, outcome: null, summary: 'No answer is known' })).toEqual({
      text: 'no answer',
      tone: 'warn',
    });
  });
});

const exchange = (request: Partial<Exchange['request']>): Exchange => ({
  ...row('a'),
  request: {
    method: 'POST',
    url: 'https://api.example.test/payments/v1/payouts',
    headers: [
      ['Authorization', 'Bearer eyJh…x9Qw'],
      ['X-Custom-Signature', 'c2lnbmF0dXJl'],
    ],
    body: '{"transaction":{"amount":1e3,  "reference":"R"}}',
    stringToSign: null,
    signature: 'c2lnbmF0dXJl',
    keyFingerprint: null,
    spans: [],
    ...request,
  },
  response: null,
  timings: null,
  reading: null,
  error: null,
});

describe('a draft of what was sent', () => {
  it('has the bytes as they were, and placeholders for token and signature', async () => {
    const headers: [string, string][] = [
      ['Authorization', 'Bearer {{token.payout}}'],
      ['X-Custom-Signature', '{{signature}}'],
    ];
    const url = 'https://api.example.test/payments/v1/payouts';
    for (const one of [exchange({ written: { url, headers, lost: null } }), exchange({})]) {
      const [block] = parseHttpFile(await writeDraft(one)).requests;
      expect(block).toMatchObject({ operation: 'payout', method: 'POST', url, faults: [] });
      expect(block!.headers.map(({ name, value }) => [name, value])).toEqual(headers);
      expect(await writeDraft(one)).toContain('\n\n{"transaction":{"amount":1e3,  "reference":"R"}}\n');
    }
  });

  it('is the only way for what an earlier version kept, and for what was masked', () => {
    expect(findLost(exchange({}))).toContain('earlier version');
    expect(findLost(exchange({ written: { url: '', headers: [], lost: 'masked.' } }))).toBe('masked.');
    expect(findLost(exchange({ written: { url: '', headers: [], lost: null } }))).toBeNull();
  });
});
