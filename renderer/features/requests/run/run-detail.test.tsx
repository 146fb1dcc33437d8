import type { ItemResult } from '@shared/contract/running';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Expectations } from './run-detail';

const draw = (expectations: unknown[]): string =>
  renderToStaticMarkup(
    <Expectations result={{ outcome: 'failed', expectations } as unknown as ItemResult} path="a.http" />,
  );
const failed = { line: 1, text: 'body a == 1', outcome: 'failed', expected: '1', advice: null };

it('shows what came as it is: turned round it would read as another value', () => {
  const html = draw([{ ...failed, received: '\u202eSSECCUS', advice: 'It says \u202eSSECCUS.' }]);
  expect(html).not.toContain('\u202e');
  expect(html.match(/\[RLO\]SSECCUS/g)?.length).toBe(2);
});

it('draws thousands of expectations a page at a time, what failed first', () => {
  const held = { ...failed, outcome: 'held', received: '1' };
  const many = Array.from({ length: 5000 }, (_, line) => ({ ...held, line }));
  const html = draw([...many, { ...failed, received: 'the one that failed', line: 5000 }]);
  expect(html.match(/data-outcome/g)?.length).toBe(100);
  expect(html).toContain('the one that failed');
});
