import type { Journey } from '@shared/contract/journey';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, it, vi } from 'vitest';
import { FactList } from '../../../ui/pane-header';
import { JourneyList } from './journey-list';

// The tip on the reference asks where tips stand.
beforeEach(() => void vi.stubGlobal('document', { getElementById: () => null }));

const summary = {
  reference: 'INV-1',
  track: { signed: 'done', accepted: 'failed', webhook: 'none', final: 'none' },
} as Journey['summary'];
const draw = (title: string, webhookId: string | null): string => {
  const event = { kind: 'refused', at: 1, title, detail: title, tone: 'bad', webhookId } as const;
  const events = [{ ...event, exchangeId: null, state: null, service: null }];
  return renderToStaticMarkup(<JourneyList journey={{ summary, events, unasked: [] }} />);
};

it.each([[null], ['7']])(
  'shows what a service or a webhook said as it is: turned round it would read as another word (webhook %s)',
  (webhookId) => {
    const html = draw('Rejected: \u202eSSECCUS', webhookId);
    expect(html).not.toContain('\u202e');
    expect(html).toMatch(/<bdi[^>]*>Rejected: \[RLO\]SSECCUS<\/bdi>/);
    // A line of a megabyte holds the window up for a minute.
    expect(draw('مر'.repeat(500_000), webhookId).length).toBeLessThan(100_000);
  },
);

it('so do facts beside it', () => {
  const html = renderToStaticMarkup(<FactList facts={[{ label: 'Outcome', value: '\u202eSSECCUS' }]} />);
  expect(html).toContain('<dd><bdi dir="ltr">[RLO]SSECCUS</bdi></dd>');
});
