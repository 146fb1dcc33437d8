import { describe, expect, it } from 'vitest';
import { createDynamicValues, dynamicValueNames } from './dynamic-values';
import { formatTime, readShift, shiftTime } from './format-time';

const now = Date.UTC(2026, 10, 1, 3, 4, 5, 67);
/** Draws the same byte again and again. */
const drawWith = (byte: number) =>
  createDynamicValues({
    now: () => now,
    random: { uuid: () => 'uuid', bytes: (count) => new Uint8Array(count).fill(byte) },
  });
const middle = (expression: string) => drawWith(128).get(expression, 0);

describe('a dynamic value', () => {
  it.each([
    ['$uuid', 'uuid'],
    ['$guid', 'uuid'],
    ['$random.uuid', 'uuid'],
    ['$timestamp', '1793502245'],
    ['$timestamp -1 h', '1793498645'],
    ['$isoTimestamp', '2026-11-01T03:04:05.067Z'],
    ['$isoTimestamp 1 d', '2026-11-02T03:04:05.067Z'],
    ['$datetime "YYYY-MM-DD"', '2026-11-01'],
    ["$datetime 'YYYY-MM-DD HH:mm:ss' -1 d", '2026-10-31 03:04:05'],
    ['$datetime rfc1123', 'Sun, 01 Nov 2026 03:04:05 GMT'],
    ['$datetime iso8601', '2026-11-01T03:04:05.067Z'],
    ['$randomInt', '501'],
    ['$randomInt 0 10', '5'],
    ['$randomInt (-10, 10)', '0'],
    ['$random.integer 7 8', '7'],
    ['$random.integer(7,8)', '7'],
    ['$random.float 0.25 0.75', '0.5009803921568628'],
    ['$random.float', '501.96078431372553'],
    ['$random.hexadecimal(1)', '0'],
    ['$random.hexadecimal 3', '000'],
    ['$random.hexadecimal( 2 )', '00'],
    ['$random.hexadecimal(1000)', '0'.repeat(1000)],
    ['$random.email', 'yyyyyyyy@example.com'],
  ])('{{%s}} is %s', (expression, value) => {
    const drawn = middle(expression)!;
    // A fraction of 48 bits: what counts is where in its range it lies.
    if (value.length > 15 && /^\d+\.\d+$/.test(value)) expect(Number(drawn)).toBeCloseTo(Number(value), 2);
    else expect(drawn).toBe(value);
  });

  it.each([
    '$uuid 1',
    '$nothing',
    'x$uuid',
    'uuid',
    '$random.email x',
    '$timestamp soon',
    '$timestamp 1',
    '$isoTimestamp x 1 d',
    '$datetime',
    '$datetime x "YYYY"',
    "$datetime 'YYYY' 1 day",
    "$datetime 'YYYY' 999999999 y",
    '$datetime "YYYY-MM-DD',
    '$localDatetime',
    '$randomInt 5',
    '$randomInt 5 5',
    '$randomInt 6 5',
    '$randomInt 0.5 2',
    '$randomInt 0 2.5',
    '$randomInt x 1 2',
    '$randomInt 1 2 x',
    '$randomInt 1 2 3',
    '$random.float 2 2',
    '$random.float 3 2',
    '$random.float 2',
    '$random.hexadecimal',
    '$random.hexadecimal(0)',
    '$random.hexadecimal(1001)',
    '$random.hexadecimal(x2)',
    '$random.hexadecimal x 2',
    '$random.hexadecimal 2 x',
    '$random.hexadecimal 12345',
  ])('{{%s}} is none', (expression) => expect(middle(expression)).toBeNull());

  it('is drawn from all of its alphabet', () => {
    const drawAll = (expression: string) =>
      new Set(Array.from({ length: 256 }, (_, byte) => drawWith(byte).get(expression, 0)));
    const small = 'abcdefghijklmnopqrstuvwxyz';
    expect([...drawAll('$random.alphabetic(1)')].join('')).toBe(small + small.toUpperCase());
    expect([...drawAll('$random.alphanumeric(1)')].join('')).toBe(
      `${small}${small.toUpperCase()}0123456789_`,
    );
    expect([...drawAll('$random.hexadecimal(1)')].join('')).toBe('0123456789abcdef');
    expect([drawWith(0), drawWith(255)].map((values) => values.get('$randomInt 3 9', 0))).toEqual(['3', '8']);
  });

  it('is one of those that are offered, each of which draws', () => {
    expect(dynamicValueNames).toHaveLength(9);
    for (const { name, detail } of dynamicValueNames) {
      expect(middle(name), name).not.toBeNull();
      expect(detail).toMatch(/\S/);
    }
  });

  it('that is a time is taken anew at any place', () => {
    let at = now;
    const values = createDynamicValues({
      now: () => at,
      random: { uuid: () => String(at), bytes: (count) => new Uint8Array(count) },
    });
    const take = () =>
      ['$timestamp', '$uuid'].flatMap((one) => [0, 11].map((place) => values.get(one, place)));
    const first = take();
    at += 1000;
    expect(take()).toEqual(first);
    values.renewTimes();
    const later = String(Math.floor(at / 1000));
    expect(take()).toEqual([later, later, ...first.slice(2)]);
  });
});

/** A time in a zone so many minutes east of UTC. */
function inZone(text: string, minutes: number): Date {
  const time = new Date(text);
  time.getTimezoneOffset = () => -minutes;
  return time;
}

describe('a time', () => {
  const morning = new Date('2009-02-03T00:05:06.007Z');
  const evening = new Date('2026-11-22T23:45:56.789Z');
  it.each([
    ['YYYY YY', '2009 09', '2026 26'],
    ['MMMM MMM MM M', 'February Feb 02 2', 'November Nov 11 11'],
    ['DD D', '03 3', '22 22'],
    ['dddd ddd dd d', 'Tuesday Tue Tu 2', 'Sunday Sun Su 0'],
    ['HH H hh h', '00 0 12 12', '23 23 11 11'],
    ['A a', 'AM am', 'PM pm'],
    ['mm m', '05 5', '45 45'],
    ['ss s SSS', '06 6 007', '56 56 789'],
    ['Z ZZ', '+00:00 +0000', '+00:00 +0000'],
    ['[at] YYYY[]-x', 'at 2009[]-x', 'at 2026[]-x'],
  ])('by %s is %s and %s', (pattern, first, second) => {
    expect([formatTime(morning, pattern, false), formatTime(evening, pattern, false)]).toEqual([
      first,
      second,
    ]);
  });

  it('at noon is of the afternoon', () => {
    expect(formatTime(new Date('2026-01-01T12:00:00Z'), 'h A a', false)).toBe('12 PM pm');
  });

  it.each([
    [180, '2026-11-23 02:45 +03:00 +0300'],
    [-210, '2026-11-22 20:15 -03:30 -0330'],
    [0, '2026-11-22 23:45 +00:00 +0000'],
  ])('in a zone %i minutes from UTC is its own there', (minutes, written) => {
    const time = inZone('2026-11-22T23:45:56.789Z', minutes);
    expect(formatTime(time, 'YYYY-MM-DD HH:mm Z ZZ', true)).toBe(written);
    expect(formatTime(time, 'YYYY-MM-DD HH:mm', false)).toBe('2026-11-22 23:45');
  });

  it.each([
    ['', '2026-01-31T22:30:00.000Z'],
    [' ', '2026-01-31T22:30:00.000Z'],
    ['5 ms', '2026-01-31T22:30:00.005Z'],
    ['-1s', '2026-01-31T22:29:59.000Z'],
    ['+2 m', '2026-01-31T22:32:00.000Z'],
    ['1 h', '2026-01-31T23:30:00.000Z'],
    [' 1 d ', '2026-02-01T22:30:00.000Z'],
    ['-1 w', '2026-01-24T22:30:00.000Z'],
    ['1 M', '2026-02-28T22:30:00.000Z'],
    ['-2 M', '2025-11-30T22:30:00.000Z'],
    ['1 Q', '2026-04-30T22:30:00.000Z'],
    ['2 y', '2028-01-31T22:30:00.000Z'],
  ])('moved by “%s” is %s', (text, wanted) => {
    expect(shiftTime(new Date('2026-01-31T22:30:00Z'), readShift(text)!, false)?.toISOString()).toBe(wanted);
  });

  it.each(['x', '1', 'd', '1 x', 'x 1 d', '1 d x', '1.5 d', '999999999 y'])(
    'is not moved by “%s”',
    (text) => {
      const shift = readShift(text);
      expect(shift && shiftTime(morning, shift, false)).toBeNull();
    },
  );
});
