import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, formatExact, formatRelative } from './format-time';

const noon = new Date(2026, 10, 21, 12, 0, 0, 7).getTime();

describe('format-time', () => {
  it('writes an instant in local time to the millisecond', () => {
    expect(formatExact(noon)).toBe('2026-11-21 12:00:00.007');
  });

  it.each([
    [1_000, 'just now'],
    [40_000, '40 s ago'],
    [180_000, '3 min ago'],
    [3 * 3_600_000, '09:00:00'],
    [30 * 3_600_000, '20 Nov 06:00'],
    [400 * 86_400_000, '17 Oct 2025'],
    [-3 * 3_600_000, '15:00:00'],
    [-30 * 3_600_000, '22 Nov 18:00'],
  ])('says %i ms ago as %s', (agoMs, text) => {
    expect(formatRelative(noon - agoMs, noon)).toBe(text);
  });

  it.each([
    [0.21, '0.2 ms'],
    [41.4, '41 ms'],
    [1613, '1.6 s'],
    [185_000, '3 min 5 s'],
    [7_440_000, '2 h 4 min'],
  ])('writes %d ms as %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });

  it.each([
    [1, '1 byte'],
    [214, '214 bytes'],
    [2_100_000, '2.1 MB'],
  ])('writes %i bytes as %s', (sizeBytes, text) => {
    expect(formatBytes(sizeBytes)).toBe(text);
  });
});
