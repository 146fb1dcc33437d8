import { describe, expect, it } from 'vitest';
import { layOutTimings } from './lay-out-timings';

describe('layOutTimings', () => {
  it('sets phases one after the other and names the longest', () => {
    const bars = layOutTimings({
      queueMs: 10,
      dnsMs: null,
      tlsMs: null,
      connectMs: null,
      firstByteMs: 80,
      downloadMs: 10,
      totalMs: 100,
    });
    expect(bars.map(({ label, startPercent, widthPercent }) => [label, startPercent, widthPercent])).toEqual([
      ['Queue', 0, 10],
      ['First byte', 10, 80],
      ['Download', 90, 10],
    ]);
    expect(bars.filter(({ isLongest }) => isLongest).map(({ label }) => label)).toEqual(['First byte']);
  });

  it('gives what passed after the last phase that ended a bar of its own, where no answer came', () => {
    const timings = {
      queueMs: 0,
      dnsMs: 30,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
      downloadMs: null,
    };
    const bars = layOutTimings({ ...timings, totalMs: 100 }, true);
    expect(bars.map(({ label, durationMs }) => [label, durationMs])).toEqual([
      ['Queue', 0],
      ['DNS', 30],
      ['To the end', 70],
    ]);
  });

  it('keeps the shortest phase visible and inside the line', () => {
    const bars = layOutTimings({
      queueMs: 0,
      dnsMs: null,
      tlsMs: null,
      connectMs: 0,
      firstByteMs: 1000,
      downloadMs: 0.1,
      totalMs: 1000,
    });
    for (const { startPercent, widthPercent } of bars) {
      expect(widthPercent).toBeGreaterThan(1);
      expect(startPercent + widthPercent).toBeLessThanOrEqual(100);
    }
  });
});
