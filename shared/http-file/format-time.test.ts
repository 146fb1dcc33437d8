import { describe, expect, it } from 'vitest';
import { withTimeZone } from '../../test/support/time-zone';
import { formatTime, readShift, shiftTime } from './format-time';

const pattern = 'YYYY-MM-DD HH:mm Z';

describe('a time that is moved', () => {
  withTimeZone('Europe/Berlin');

  // Summer time begins there on 29 March 2026 and ends on 25 October.
  it.each([
    ['2026-03-28T11:00:00Z', '1 d', '2026-03-29 12:00 +02:00'],
    ['2026-03-28T11:00:00Z', '24 h', '2026-03-29 13:00 +02:00'],
    ['2026-10-20T10:00:00Z', '1 w', '2026-10-27 12:00 +01:00'],
    ['2026-02-28T11:00:00Z', '1 M', '2026-03-28 12:00 +01:00'],
    ['2026-02-28T11:00:00Z', '2 M', '2026-04-28 12:00 +02:00'],
    ['2026-08-31T10:00:00Z', '6 M', '2027-02-28 12:00 +01:00'],
    ['2026-11-30T11:00:00Z', '-1 Q', '2026-08-30 12:00 +02:00'],
    ['2024-02-29T23:30:00Z', '1 y', '2025-03-01 00:30 +01:00'],
    ['2026-03-28T11:00:00Z', '', '2026-03-28 12:00 +01:00'],
  ])('keeps the hour of the clock here: %s %s', (time, shift, expected) => {
    expect(formatTime(shiftTime(new Date(time), readShift(shift)!, true)!, pattern, true)).toBe(expected);
  });

  it.each([
    ['2026-03-28T11:00:00Z', '1 d', '2026-03-29 11:00 +00:00'],
    ['2026-03-28T11:00:00Z', '1 M', '2026-04-28 11:00 +00:00'],
    ['2026-01-31T23:30:00Z', '1 M', '2026-02-28 23:30 +00:00'],
  ])('and that of UTC: %s %s', (time, shift, expected) => {
    expect(formatTime(shiftTime(new Date(time), readShift(shift)!, false)!, pattern, false)).toBe(expected);
  });
});

describe.each([
  ['Etc/GMT-3', '2026-01-31T22:30:00.000Z', '2026-02-28T22:30:00.000Z'],
  ['Etc/GMT-3', '2026-03-31T22:30:00.000Z', '2026-04-30T22:30:00.000Z'],
  ['Etc/GMT-3', '2026-05-31T22:30:00.000Z', '2026-06-30T22:30:00.000Z'],
  ['Etc/GMT+3', '2026-03-31T22:30:00.000Z', '2026-04-30T22:30:00.000Z'],
  ['Etc/GMT+3', '2026-03-01T01:30:00.000Z', '2026-03-29T01:30:00.000Z'],
])('in %s %s', (zone, time, expected) => {
  withTimeZone(zone);

  it('is moved by the months of that zone', () => {
    expect(shiftTime(new Date(time), readShift('1 M')!, true)?.toISOString()).toBe(expected);
  });
});

it.each([
  ['[T]YYYY', 'T2026'],
  ['[]YYYY', '[]2026'],
  ['YYYYY', '2026Y'],
  ['[YYYY', '[2026'],
])('writes %s as %s', (text, expected) => {
  expect(formatTime(new Date('2026-03-28T11:00:00Z'), text, false)).toBe(expected);
});
