import { describe, expect, it } from 'vitest';
import type { Journey } from '../contract/journey';
import type { Exchange } from '../contract/sending';
import { remarkJourney } from './remark-journey';
import { writeJourneyHtml, writeJourneyMarkdown } from './write-journey';

type Event = Journey['events'][number];
const event = (kind: Event['kind'], at: number, state: string | null = null): Event => ({
  kind,
  at,
  state,
  title: kind,
  detail: null,
  tone: 'quiet',
  exchangeId: null,
  webhookId: null,
});
const journey = (events: Event[], more: Partial<Journey['summary']> = {}): Journey => ({
  summary: {
    reference: 'R-1',
    environment: 'local',
    operation: 'payout',
    title: 'Salary',
    amount: '10',
    currency: 'KES',
    startedAt: 0,
    lastAt: 0,
    finalAt: null,
    track: { signed: 'done', accepted: 'done', webhook: 'waiting', final: 'waiting' },
    state: 'processing',
    ...more,
  },
  events,
});
const remarks = (one: Journey, now: number) => remarkJourney(one, now).map(({ kind, text }) => [kind, text]);

describe('a journey', () => {
  it('says that no webhook came, once that is worth a word', () => {
    const waiting = journey([event('sent', 0), event('accepted', 1000)]);
    expect(remarks(waiting, 60_000)).toEqual([]);
    expect(remarks(waiting, 241_000)).toEqual([
      ['gap', 'Accepted 4 min 0 s ago, and no webhook has come: ask its status.'],
    ]);
    const known = journey([event('accepted', 1000), event('status', 2000, 'succeeded')], {
      state: 'succeeded',
    });
    expect(remarks(known, 241_000)[0]?.[1]).toMatch(/outcome is known: look at the callback address/);
    expect(remarks(journey([event('accepted', 0), event('webhook', 5, 'failed')]), 241_000)).toEqual([]);
  });

  it('says that nobody knows whether it was taken', () => {
    const track = { signed: 'done', accepted: 'unknown', webhook: 'none', final: 'none' } as const;
    const lost = journey([event('sent', 0), event('unknown', 0)], { track, state: null });
    expect(remarks(lost, 5000)).toEqual([
      [
        'gap',
        'Sent 5.0 s ago, and nobody said whether it was taken: ask its status before you send it again.',
      ],
    ]);
  });

  it('says loudly that webhook and status disagree, in whatever order they came', () => {
    for (const [first, second] of [
      ['webhook', 'status'],
      ['status', 'webhook'],
    ] as const) {
      const two = journey([
        event('accepted', 0),
        event(first, 10, 'succeeded'),
        event(second, 2010, 'failed'),
      ]);
      expect(remarks(two, 3000)[0]).toEqual([
        'disagreement',
        expect.stringMatching(/“succeeded”, and 2\.0 s later .* “failed”/),
      ]);
    }
    const agreed = journey([event('webhook', 1, 'succeeded'), event('status', 2, 'succeeded')]);
    expect(remarks(agreed, 3)).toEqual([]);
  });

  it('is shared without a secret, and nothing of it runs', () => {
    const evil = '<script>alert(1)</script>|x`';
    const shared = {
      journey: journey([{ ...event('sent', 0), title: evil }], { reference: evil }),
      remarks: remarkJourney(journey([event('accepted', 0)]), 100_000),
      exchanges: [
        {
          title: 'Payout',
          request: {
            method: 'POST',
            url: 'https://x.test/p?access_token=tok-123456789',
            headers: [['Authorization', 'Bearer abcdefghijklmnop.qrstuvwxyz.0123456789']],
            body: `{"a":"\`\`\`${evil}"}${'x'.repeat(9000)}`,
          },
          response: { httpStatus: 201, headers: [], body: '{"ok":true}' },
        } as unknown as Exchange,
      ],
    };
    const [markdown, html] = [writeJourneyMarkdown(shared), writeJourneyHtml(shared)];
    for (const text of [markdown, html]) {
      expect(text).not.toMatch(/tok-123456789|abcdefghijklmnop/);
      expect(text).toContain('no webhook has come');
      expect(text.length).toBeLessThan(10_000);
    }
    expect(html).not.toContain('<script');
    expect(html).not.toMatch(/src=|href=|@import|url\(/);
    expect(markdown).toContain('# Payment \\<script');
    expect(markdown).toContain('\n````\n');
  });
});
