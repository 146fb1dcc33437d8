import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const renderer = resolve(import.meta.dirname, '..', '..', 'renderer');
const paths = readdirSync(renderer, { recursive: true, encoding: 'utf8' });
const read = (path: string): string => readFileSync(join(renderer, path), 'utf8');
const tokens = read('ui/tokens.css');
const longestMs = 150;

/** What moves, in each style sheet: file, property, value. */
const moving = paths
  .filter((path) => path.endsWith('.css'))
  .flatMap((path) =>
    [...read(path).matchAll(/[\s;{](transition|animation)(-duration|-delay)?:\s*([^;}]+)/g)].map((match) => ({
      path,
      property: `${match[1]}${match[2] ?? ''}`,
      value: match[3]!.trim(),
    })),
  );
/** In `base.css`, for those who have asked for less motion; and what scrolling drives, which takes no time of its own. */
const isTimeless = (value: string): boolean =>
  value.endsWith('!important') || value === 'fade-edge linear both';

it('sees what moves', () => {
  expect(moving.length).toBeGreaterThan(3);
  expect(moving.some(({ value }) => value.includes('var(--speed)'))).toBe(true);
});

it('moves by the tokens alone, and none of them is longer than a blink', () => {
  const odd = moving.filter(({ value }) => {
    if (isTimeless(value)) return false;
    const isOfTokens = !/(?<![\w-])[\d.]+m?s\b/.test(value) && /var\(--(?:speed|turn)\)/.test(value);
    // A ring that turns as long as something is under way has no end of its own; nothing else is so slow.
    return !isOfTokens || (value.includes('var(--turn)') && !value.endsWith('infinite'));
  });
  expect(odd).toEqual([]);
  const [speed, ...others] = [...tokens.matchAll(/--(?:speed|wait): (\d+)ms/g)].map(([, ms]) => Number(ms));
  expect(speed).toBeGreaterThan(0);
  for (const ms of [speed, ...others]) expect(ms).toBeLessThanOrEqual(longestMs);
});

it('stands still for those who have asked for less motion', () => {
  const reduced = (css: string): string =>
    /@media \(prefers-reduced-motion: reduce\) \{([\s\S]*?)\n\}/.exec(css)?.[1] ?? '';
  for (const token of ['speed', 'turn']) expect(reduced(tokens)).toContain(`--${token}: 0ms`);
  for (const rule of ['transition: none', 'animation-iteration-count: 1', 'scroll-behavior: auto'])
    expect(reduced(read('ui/base.css'))).toContain(`${rule} !important`);
});

it('moves nothing from scripts', () => {
  const scripts = paths.filter((path) => /(?<!\.test)\.tsx?$/.test(path));
  const moved = scripts.filter((path) =>
    /behavior: 'smooth'|\.animate\(|\btransition(?:Duration)?:/.test(read(path)),
  );
  expect(moved).toEqual([]);
});
