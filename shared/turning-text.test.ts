import { expect, it } from 'vitest';
import { cutTurning } from './turning-text';

it.each(['a'.repeat(1_000_000), 'a\u05d0'.repeat(5000), 'a\u05d0\n'.repeat(100_000)])(
  'leaves a text whole that is laid out at once (%#)',
  (text) => {
    expect(cutTurning(text)).toBe(text);
  },
);

it.each(['a\u05d0'.repeat(5001), `x\n${'\u0628'.repeat(6000)}`])(
  'leaves the beginning of a text that holds a browser up for minutes, and says so (%#)',
  (text) => {
    expect(cutTurning(text)).toBe(`${text.slice(0, 5000)}… (${text.length.toLocaleString('en')} characters)`);
  },
);
