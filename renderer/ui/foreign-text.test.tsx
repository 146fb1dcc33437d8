import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Amount } from './amount';
import { ForeignText } from './foreign-text';
import { StringToSignSpans } from './string-to-sign-spans';

const turned = 'INV\u202e-1';
const shown = 'INV[RLO]-1';

it('isolates a text from elsewhere, and shows what would turn it round', () => {
  expect(renderToStaticMarkup(<ForeignText text={turned} />)).toBe(`<bdi dir="ltr">${shown}</bdi>`);
});

it('draws what stands between back-ticks as code in a sentence of ours alone', () => {
  const text = 'write `# @skip` above';
  const drawn = 'write <code># @skip</code> above';
  expect(renderToStaticMarkup(<ForeignText text={text} hasCode />)).toBe(`<bdi dir="ltr">${drawn}</bdi>`);
  expect(renderToStaticMarkup(<ForeignText text={text} />)).toBe(`<bdi dir="ltr">${text}</bdi>`);
  expect(renderToStaticMarkup(<ForeignText text="a ` alone" hasCode />)).toContain('a ` alone');
});

it.each([
  ['مرجع-2026-000123', 'rtl'],
  ['אסמכתא 17', 'rtl'],
  ['مرجع INV-1', 'ltr'],
  ['INV-1 مرجع', 'ltr'],
  ['2026-000123', 'ltr'],
  ['', 'ltr'],
])('cuts the end of “%s”, whichever way it is read: %s', (text, dir) => {
  expect(renderToStaticMarkup(<ForeignText text={text} />)).toBe(`<bdi dir="${dir}">${text}</bdi>`);
});

it('draws the beginning of a text that is longer than a window can take', () => {
  const drawn = `${'a'.repeat(20_000)}… (30,000 characters)`;
  const text = 'a'.repeat(30_000);
  expect(renderToStaticMarkup(<ForeignText text={text} />)).toBe(`<bdi dir="ltr">${drawn}</bdi>`);
  const spans = [{ field: 'reference' as const, start: 0, end: text.length }];
  const html = renderToStaticMarkup(<StringToSignSpans text={text} spans={spans} />);
  expect(html).toContain(`>${drawn}<`);
  expect(html).toContain(`aria-label="transaction.reference: ${drawn}"`);
});

it.each(['a\u05d0', '\u0628'])('draws less of one that is read from the right, or to and fro: %s', (unit) => {
  const text = unit.repeat(30_000);
  const html = renderToStaticMarkup(<ForeignText text={text} />);
  expect(html).toContain(`>${text.slice(0, 5000)}… (${text.length.toLocaleString('en')} characters)<`);
});

it('does so in the string to sign, which keeps its exact text beside it', () => {
  const spans = [{ field: 'reference' as const, start: 0, end: turned.length }];
  for (const onPick of [undefined, () => undefined]) {
    const html = renderToStaticMarkup(
      <StringToSignSpans text={turned} spans={spans} {...(onPick && { onPick })} />,
    );
    expect(html).toMatch(/<bdi[^>]*>INV\[RLO\]-1<\/bdi>/);
    expect(html).toContain(`data-string-to-sign="${turned}"`);
  }
});

it('does so in an amount that is none', () => {
  expect(renderToStaticMarkup(<Amount literal={'1\u202e00'} />)).not.toContain('\u202e');
});

it('names each span of the string to sign with its field and its value, for those who do not see its colour', () => {
  const spans = [
    { field: 'reference' as const, start: 0, end: 5 },
    { field: 'amount' as const, start: 5, end: 9 },
  ];
  for (const onPick of [undefined, () => undefined]) {
    const html = renderToStaticMarkup(
      <StringToSignSpans text="INV-11500" spans={spans} {...(onPick && { onPick })} />,
    );
    expect(html).toContain('aria-label="transaction.reference: INV-1"');
    expect(html).toContain('aria-label="transaction.amount: 1500"');
  }
});
