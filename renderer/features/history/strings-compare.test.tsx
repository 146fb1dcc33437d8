import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { StringsCompare } from './strings-compare';

const compare = (left: string | null, right: string | null): string =>
  renderToStaticMarkup(<StringsCompare left={left} right={right} />);

it('marks what only one of two strings to sign has, and shows what would turn it round', () => {
  const html = compare('INV-1', 'INV-2\u202e');
  expect(html).toMatch(/<mark><bdi[^>]*>1<\/bdi><\/mark>.*<mark><bdi[^>]*>2\[RLO\]<\/bdi><\/mark>/);
  expect(html).not.toContain('\u202e');
});

it('says that both signed the same, or of how much differences are drawn', () => {
  const long = 'a'.repeat(900_000);
  expect(compare(long, long)).toContain('the same string');
  const html = compare(`${long}b`, `${long}c`);
  expect(html).not.toContain('the same string');
  expect(html).toContain('The first 20000 characters of each');
  expect(html.length).toBeLessThan(50_000);
  expect(compare(null, null)).toBe('');
});
