import { describe, expect, it } from 'vitest';
import { nameTicks } from './name-ticks';

const noon = Date.UTC(2026, 10, 25, 12) / 1000;
const step = (count: number, by: number): number[] =>
  Array.from({ length: count }, (_, at) => noon + at * by);

describe('nameTicks', () => {
  it.each([
    ['half a second', 0.5],
    ['a hundredth', 0.01],
    ['a second', 1],
    ['an hour', 3600],
    ['half a day', 43_200],
    ['a week', 604_800],
  ])('gives ticks of %s names of their own', (_, by) => {
    const names = nameTicks(step(5, by));
    expect(new Set(names).size).toBe(5);
  });

  it('says the day where the axis goes over more than one, though its ticks are a day apart or less', () => {
    const midnight = new Date(2026, 10, 25).getTime() / 1000;
    expect(nameTicks([midnight - 43_200, midnight, midnight + 43_200])).toEqual([
      '24 Nov 12:00',
      '25 Nov 00:00',
      '25 Nov 12:00',
    ]);
    expect(nameTicks([midnight - 7200, midnight])).toEqual(['24 Nov 22:00', '25 Nov 00:00']);
    expect(nameTicks([midnight - 1, midnight, midnight + 1])).toEqual([
      '24 Nov 23:59:59',
      '25 Nov 00:00:00',
      '25 Nov 00:00:01',
    ]);
    const ticks = [midnight + 21_600, midnight + 43_200];
    expect(nameTicks(ticks, [midnight - 3600, midnight + 50_000])).toEqual(['25 Nov 06:00', '25 Nov 12:00']);
    expect(nameTicks(ticks, [midnight + 60, midnight + 50_000])).toEqual(['06:00:00', '12:00:00']);
    expect(nameTicks([], [])).toEqual([]);
  });

  it('says no more than the ticks tell apart', () => {
    expect(nameTicks(step(2, 1))[0]).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(nameTicks(step(2, 0.5))[1]).toMatch(/^\d\d:\d\d:\d\d\.500$/);
    const day = new Date(2026, 10, 23).getTime() / 1000;
    expect(nameTicks([day, day + 172_800])).toEqual(['23 Nov', '25 Nov']);
    expect(nameTicks([day + 3600, day + 172_800])).toEqual(['23 Nov 01:00', '25 Nov 00:00']);
    const newYear = new Date(2027, 0, 1).getTime() / 1000;
    expect(nameTicks([day, newYear])).toEqual(['23 Nov 2026', '1 Jan 2027']);
    expect(nameTicks([day + 60, newYear])).toEqual(['23 Nov 00:01', '1 Jan 00:00']);
  });
});
