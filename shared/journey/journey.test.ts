import { describe, expect, it } from 'vitest';
import type { Journey } from '../contract/journey';
import type { Exchange } from '../contract/sending';
import { gatherSharedJourney } from './gather-shared-journey';
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
  service: null,
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
    isDisputed: false,
    sentTo: [],
    ...more,
  },
  events,
  unasked: [],
});
const remarks = (one: Journey, now: number) => remarkJourney(one, now).map(({ kind, text }) => [kind, text]);
const canAsk = (one: Journey, now: number) => remarkJourney(one, now).map((remark) => remark.canAsk);
const exchange = (more: object = {}): Exchange =>
  ({
    title: 'Payout',
    request: { method: 'POST', url: 'https://x.test/p', headers: [], body: null },
    response: null,
    ...more,
  }) as unknown as Exchange;

describe('a journey', () => {
  it('says that no webhook came, once that is worth a word', () => {
    const waiting = journey([event('sent', 0), event('accepted', 1000)]);
    expect(remarks(waiting, 60_000)).toEqual([]);
    expect(remarks(waiting, 61_000)).toEqual([]);
    expect(canAsk(waiting, 61_001)).toEqual([true]);
    expect(remarks(waiting, 241_000)).toEqual([
      ['gap', 'Accepted 4 min 0 s ago, and no webhook of it is known here: ask its status.'],
    ]);
    const known = journey([event('accepted', 1000), event('status', 2000, 'succeeded')], {
      state: 'succeeded',
    });
    expect(remarks(known, 241_000)[0]?.[1]).toMatch(
      /outcome is known: if none was deleted, look at the callback address/,
    );
    expect(canAsk(known, 241_000)).toEqual([false]);
    const unheard = journey([event('accepted', 1000)], { state: null });
    expect(remarks(unheard, 241_000)[0]?.[1]).toMatch(/no webhook of it is known here: ask its status/);
    expect(remarks(journey([event('accepted', 0), event('webhook', 5, 'failed')]), 241_000)).toEqual([]);
  });

  it('does not take the word of a webhook for a payment that was refused or never left', () => {
    const [sent, told] = [event('sent', 0), event('webhook', 20, 'succeeded')];
    const refused = { ...event('refused', 10), tone: 'bad' } as const;
    const doubted = journey([sent, refused, told]);
    expect(remarks(doubted, 100)).toEqual([
      [
        'disagreement',
        expect.stringMatching(/nothing that was sent from here was taken, and a webhook said “succeeded”/),
      ],
    ]);
    expect(canAsk(doubted, 100)).toEqual([true]);
    expect(remarks(journey([told, sent, refused]), 100)).toHaveLength(1);
    // What may have been taken: an accepted or lost try, a duplicate, one under way; or the service itself said so.
    for (const other of [
      event('accepted', 5),
      event('unknown', 5),
      { ...refused, tone: 'warn' as const },
      event('status', 30, 'succeeded'),
    ])
      expect(
        remarks(journey([sent, refused, told, other]), 100).filter(([kind]) => kind === 'disagreement'),
      ).toEqual([]);
    expect(remarks(journey([sent, refused, event('sent', 15), told]), 100)).toEqual([]);
    expect(remarks(journey([sent, refused, event('webhook', 20)]), 100)).toEqual([]);
    expect(remarks(journey([sent, refused, event('status', 30), told]), 100)).toHaveLength(1);
  });

  it('says that nobody knows whether it was taken', () => {
    const track = { signed: 'done', accepted: 'unknown', webhook: 'none', final: 'none' } as const;
    // It was waited for before that: thirty seconds, where no answer came.
    const lost = journey([event('sent', 0), event('unknown', 3000)], { track, state: null });
    expect(remarks(lost, 5000)).toEqual([
      [
        'gap',
        'Sent 5.0 s ago, and nobody said whether it was taken: ask its status before you send it again.',
      ],
    ]);
    expect(canAsk(lost, 5000)).toEqual([true]);
    const later = journey([event('sent', 2000), event('unknown', 2000)], { track, state: null });
    expect(remarks(later, 5000)[0]?.[1]).toContain('Sent 3.0 s ago');
    // A clock that was set back.
    expect(remarks(later, 1000)[0]?.[1]).toContain('Sent 0.0 ms ago');
    const found = journey([event('unknown', 0), event('accepted', 10)]);
    expect(remarks(found, 5000)).toEqual([]);
    expect(remarks(journey([event('sent', 0)], { track }), 5000)).toEqual([]);
  });

  it('tells two services that answer of one reference from one that contradicts itself', () => {
    const at = (service: string, when: number, state: string): Event => ({
      ...event('status', when, state),
      service,
    });
    const told = (...events: Event[]) => remarkJourney(journey([event('accepted', 0), ...events]), 100);
    const [staging, local] = ['https://staging.test', 'http://127.0.0.1:4010'];
    const apart = [at(staging, 10, 'succeeded'), at(local, 20, 'failed')];
    expect(told(...apart)).toEqual([
      {
        kind: 'disagreement',
        text: `They disagree: ${staging} said “succeeded”, and ${local} “failed”. Each may have a payment of its own with this reference: look at what went to which.`,
        canAsk: false,
        service: null,
      },
    ]);
    const ofOne = /: a status query said “succeeded”, and 20 ms later a status query said “failed”/;
    expect(told(...apart, at(staging, 30, 'failed'))[0]).toMatchObject({
      text: expect.stringMatching(ofOne) as string,
      canAsk: true,
    });
    // Nobody knows from which of them a webhook came.
    expect(told(...apart, event('webhook', 30, 'failed'))[0]?.text).toMatch(/a webhook said “failed”/);
    expect(told(at(staging, 10, 'succeeded'), event('status', 20, 'failed'))[0]?.canAsk).toBe(true);
    expect(told(at(staging, 10, 'failed'), at(local, 20, 'failed'))).toEqual([]);
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
      const named = { webhook: 'a webhook', status: 'a status query' };
      expect(remarks(two, 3000)[0]).toEqual([
        'disagreement',
        `They disagree: ${named[first]} said “succeeded”, and 2.0 s later ${named[second]} said “failed”. A final state does not change: pay nobody again until the service has said which one holds.`,
      ]);
      expect(canAsk(two, 3000)).toEqual([true]);
    }
    const onTheWay = [event('status', 1, 'processing'), event('webhook', 2, 'succeeded'), event('sent', 3)];
    expect(remarks(journey(onTheWay), 4)).toEqual([]);
    const thrice = journey([
      event('webhook', 1000, 'succeeded'),
      event('status', 3000, 'succeeded'),
      event('webhook', 7500, 'failed'),
    ]);
    expect(remarks(thrice, 9000)[0]?.[1]).toMatch(
      /a status query said “succeeded”, and 4\.5 s later a webhook said “failed”/,
    );
    const agreed = journey([event('webhook', 1, 'succeeded'), event('status', 2, 'succeeded')]);
    expect(remarks(agreed, 3)).toEqual([]);
  });

  it('names the team inboxes that could not be asked, wherever it is shown', () => {
    const unasked = { ...journey([event('accepted', 1000)]), unasked: ['QA', 'Ops'] };
    const said = remarkJourney(unasked, 2000);
    expect(said).toMatchObject([
      { kind: 'gap', text: expect.stringContaining('“QA” could not be asked'), canAsk: false },
      { kind: 'gap', text: expect.stringContaining('“Ops” could not be asked') },
    ]);
    const shared = { journey: unasked, remarks: said, exchanges: [] };
    expect(writeJourneyMarkdown(shared)).toContain('“Ops” could not be asked');
    expect(writeJourneyHtml(shared)).toContain('“QA” could not be asked');
  });

  it('says why the sandbox could not deliver its webhook, and when it tries again', () => {
    const undelivered = {
      callbackUrl: 'http://127.0.0.1:9/hook?token=tok-123456789',
      attempts: 2,
      error: 'The receiver answered HTTP 500',
      nextAttemptAt: 60_000,
    };
    const say = (more: object, now: number): string | undefined =>
      remarkJourney({ ...journey([]), undelivered: { ...undelivered, ...more } }, now)[0]?.text;
    expect(say({}, 5_000)).toMatch(
      /^The local sandbox could not deliver its webhook to http:\/\/127\.0\.0\.1:9\/hook\S+ in 2 attempts: The receiver answered HTTP 500\. The next try is in 55\.0 s, while the sandbox runs/,
    );
    expect(say({}, 0)).not.toContain('tok-123456789');
    expect(say({ attempts: 1 }, 60_000)).toMatch(/in 1 attempt: .* It is due again/);
    expect(say({ nextAttemptAt: null }, 0)).toMatch(/“Deliver again”, in the sandbox/);
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
      expect(text).toContain('no webhook of it is known here');
      expect(text.length).toBeLessThan(10_000);
    }
    expect(html).not.toContain('<script');
    expect(html).not.toMatch(/src=|href=|@import|url\(/);
    expect(markdown).toContain('# Payment \\<script');
    expect(markdown).toContain('\n````\n');
  });

  const told = {
    journey: journey(
      [
        { ...event('sent', 1000), title: 'Sent' },
        { ...event('webhook', 3500, 'succeeded'), title: 'Webhook', detail: 'a|b\r\nand "c" & <d>' },
      ],
      { startedAt: 1000, environment: 'local', title: 'Salary' },
    ),
    remarks: [{ kind: 'gap', text: 'Look *here*.', canAsk: true, service: null }] as const,
    exchanges: [
      exchange({
        request: {
          method: 'POST',
          url: 'https://x.test/p',
          headers: [
            ['Accept', '*/*'],
            ['A', 'b'],
          ],
          body: '{"a":1}\n',
        },
        response: { httpStatus: 201, headers: [['Server', 'x']], body: '{"ok":true}  ' },
      }),
      exchange({
        title: 'Status <1>',
        request: { method: 'GET', url: 'https://x.test/s', headers: [], body: null },
      }),
    ],
  };

  it('is Markdown with all that is known', () => {
    expect(writeJourneyMarkdown(told)).toBe(`# Payment R-1

- Request: Salary
- Amount: KES 10.00
- State: processing
- Environment: Local sandbox
- Started: 1970-01-01T00:00:01.000Z

> **Look \\*here\\*.**

| When | After | What | Detail |
| --- | --- | --- | --- |
| 1970-01-01T00:00:01.000Z | +0.0 ms | Sent |  |
| 1970-01-01T00:00:03.500Z | +2.5 s | Webhook | a\\|b and "c" & \\<d\\> |

## Payout: request

\`\`\`
POST https://x.test/p
Accept: */*
A: b

{"a":1}
\`\`\`

## Payout: answer

\`\`\`
HTTP 201
Server: x

{"ok":true}
\`\`\`

## Status \\<1\\>: request

\`\`\`
GET https://x.test/s
\`\`\`
`);
  });

  it('names each environment that it went to', () => {
    const place = { service: null, operation: 'payout', amount: '1', currency: 'KES', sentAt: 1 } as const;
    const sentTo = [
      { ...place, environment: 'local', name: 'Local sandbox' },
      { ...place, environment: 'data/b', name: 'B at https://b.test' },
    ];
    const shared = (count: number) => ({
      journey: journey([], { sentTo: sentTo.slice(0, count) }),
      remarks: [],
      exchanges: [],
    });
    expect(writeJourneyMarkdown(shared(2))).toContain(
      '\n- Environments: Local sandbox, B at https://b.test\n',
    );
    expect(writeJourneyMarkdown(shared(1))).toContain('\n- Environment: Local sandbox\n');
    expect(writeJourneyHtml(shared(2))).toContain(
      '<dt>Environments</dt><dd>Local sandbox, B at https://b.test</dd>',
    );
  });

  it('is a page with all that is known', () => {
    const body = writeJourneyHtml(told).split('</style></head>')[1];
    expect(body).toBe(`<body><main>
<h1>Payment <bdi dir="ltr">R-1</bdi></h1>
<dl><dt>Request</dt><dd>Salary</dd><dt>Amount</dt><dd>KES 10.00</dd><dt>State</dt><dd>processing</dd><dt>Environment</dt><dd>Local sandbox</dd><dt>Started</dt><dd>1970-01-01T00:00:01.000Z</dd></dl>
<p class="remark">Look *here*.</p>
<table><thead><tr><th>When</th><th>After</th><th>What</th><th>Detail</th></tr></thead><tbody>
<tr><td>1970-01-01T00:00:01.000Z</td><td>+0.0 ms</td><td>Sent</td><td></td></tr>
<tr><td>1970-01-01T00:00:03.500Z</td><td>+2.5 s</td><td>Webhook</td><td>a|b\r\nand &quot;c&quot; &amp; &lt;d&gt;</td></tr>
</tbody></table>
<h2>Payout: request</h2><pre>POST https://x.test/p
Accept: */*
A: b

{&quot;a&quot;:1}</pre>
<h2>Payout: answer</h2><pre>HTTP 201
Server: x

{&quot;ok&quot;:true}</pre>
<h2>Status &lt;1&gt;: request</h2><pre>GET https://x.test/s</pre>
</main></body></html>
`);
  });

  it('says of what nobody told that it is not known', () => {
    const bare = journey([event('webhook', 4000)], {
      startedAt: 5000,
      amount: null,
      currency: null,
      state: null,
      environment: '',
    });
    const text = writeJourneyMarkdown({ journey: bare, remarks: [], exchanges: [] });
    for (const name of ['Amount', 'State', 'Environment']) expect(text).toContain(`- ${name}: not known`);
    expect(text).toContain('1970-01-01T00:00:04.000Z | +0.0 ms |');
    expect(writeJourneyMarkdown({ journey: journey([]), remarks: [], exchanges: [] })).toContain(
      '# Payment R-1',
    );
    // A clock that was set back between two events.
    const back = journey([event('sent', 9000), event('webhook', 4000)]);
    expect(writeJourneyMarkdown({ journey: back, remarks: [], exchanges: [] })).toContain(
      '04.000Z | +0.0 ms |',
    );
  });

  it('shows what would turn a line round, hide in it or strike it out, in Markdown and on the page', () => {
    const hostile = 'a\u202eFAILED\u202c ~~no~~\u001b[2J';
    const shared = {
      journey: journey([{ ...event('webhook', 0), title: hostile }], { title: hostile }),
      remarks: [{ kind: 'gap', text: hostile, canAsk: true, service: null }] as const,
      exchanges: [
        exchange({
          title: hostile,
          request: { method: 'POST', url: 'x', headers: [], body: `1\r\n${hostile}` },
        }),
      ],
    };
    const [markdown, page] = [writeJourneyMarkdown(shared), writeJourneyHtml(shared)];
    for (const text of [markdown, page]) {
      for (const hidden of ['\u202e', '\u202c', '\u001b']) expect(text).not.toContain(hidden);
      expect(text).toContain('1\r\na[RLO]FAILED[PDF] ~~no~~␛[2J');
    }
    const long = journey([{ ...event('webhook', 0), detail: 'a\u05d0'.repeat(20_000) }]);
    expect(writeJourneyHtml({ ...shared, journey: long })).toContain('(40,000 characters)</td>');
    expect(markdown).toContain('- Request: a\\[RLO\\]FAILED\\[PDF\\] \\~\\~no\\~\\~␛\\[2J');
  });

  it('writes no text of others as a character that stands for it in Markdown, a formula or the end of a heading', () => {
    const text = writeJourneyMarkdown({
      journey: journey([], { reference: 'a &#x202e;b &lt;i&gt; #', title: '$x$ #' }),
      remarks: [],
      exchanges: [],
    });
    expect(text).toContain(String.raw`# Payment a \&\#x202e;b \&lt;i\&gt; \#` + '\n');
    expect(text).toContain(String.raw`- Request: \$x\$ \#` + '\n');
  });

  it('cuts bodies over 4,000 characters, and no others', () => {
    const write = (length: number): string =>
      writeJourneyMarkdown({
        journey: journey([]),
        remarks: [],
        exchanges: [
          exchange({ request: { method: 'POST', url: 'x', headers: [], body: 'b'.repeat(length) } }),
        ],
      });
    expect(write(4000)).toContain(`\n${'b'.repeat(4000)}\n\``);
    expect(write(4001)).toContain(`\n${'b'.repeat(4000)}\n… cut\n`);
  });

  it('is gathered with each exchange once, thirty at most, without those that are gone', async () => {
    const events = Array.from({ length: 40 }, (_, at) => ({
      ...event('sent', at),
      exchangeId: at % 10 === 3 ? null : `x${Math.floor(at / 2) * 2}`,
    }));
    events.push(...Array.from({ length: 40 }, (_, at) => ({ ...event('status', 50), exchangeId: `y${at}` })));
    const asked: string[] = [];
    const read = (id: string): Promise<Exchange> => {
      asked.push(id);
      return id === 'x4' ? Promise.reject(new Error('gone')) : Promise.resolve(exchange({ title: id }));
    };
    const gathered = await gatherSharedJourney(journey(events), read, 100);
    expect(asked).toHaveLength(30);
    expect(new Set(asked).size).toBe(30);
    expect(gathered.exchanges.map(({ title }) => title)).toEqual(asked.filter((id) => id !== 'x4'));
    expect(gathered.journey.events).toBe(events);
    expect(gathered.remarks).toEqual(remarkJourney(journey(events), 100));
    const waiting = journey([event('accepted', 0)]);
    expect((await gatherSharedJourney(waiting, read, 100_000)).remarks).toHaveLength(1);
  });
});
