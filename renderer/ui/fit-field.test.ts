import type { ClipboardEvent, KeyboardEvent } from 'react';
import { expect, it, vi } from 'vitest';
import { fitField } from './fit-field';

it.each(['', 'INV-1', 'a'.repeat(500_000), 'مرجع '.repeat(1200)])('leaves a text as it is (%#)', (text) => {
  expect(fitField(text, vi.fn())).toEqual({ value: text });
});

it.each([
  ['a'.repeat(500_001), 20_000],
  ['a\u05d0'.repeat(200_000), 5000],
  ['\u0628'.repeat(200_000), 5000],
])('draws the beginning of a text that holds the window up, and gives all of it (%#)', (text, most) => {
  const onChange = vi.fn();
  const field = fitField(text, onChange);
  expect(field).toMatchObject({
    value: `${text.slice(0, most)}… (${text.length.toLocaleString('en')} characters)`,
    readOnly: true,
  });
  const setData = vi.fn();
  const preventDefault = vi.fn();
  field.onCopy?.({ preventDefault, clipboardData: { setData } } as unknown as ClipboardEvent);
  expect(setData).toHaveBeenCalledExactlyOnceWith('text/plain', text);
  for (const key of ['a', 'Delete']) field.onKeyDown?.({ key, preventDefault } as unknown as KeyboardEvent);
  expect(onChange).toHaveBeenCalledExactlyOnceWith('');
});

it('leaves a text whole that is only to be read', () => {
  const field = fitField('a\u05d0'.repeat(200_000), null);
  expect(field.title).toBe('Too long to be shown here. Copied, it is whole.');
  const preventDefault = vi.fn();
  field.onKeyDown?.({ key: 'Delete', preventDefault } as unknown as KeyboardEvent);
  expect(preventDefault).not.toHaveBeenCalled();
});

it('shows a mark of direction in what it cuts as a mark', () => {
  expect(fitField(`\u202e${'a'.repeat(500_001)}`, vi.fn()).value.slice(0, 6)).toBe('[RLO]a');
});

it('takes lines that turn a little for a text of many lines alone', () => {
  const text = 'a\u05d0\n'.repeat(5001);
  expect(fitField(text, vi.fn(), false)).toEqual({ value: text });
  expect(fitField(text, vi.fn()).readOnly).toBe(true);
});
