interface TimeParts {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
  milli: number;
  /** Of UTC, in minutes; east is positive. */
  offsetMinutes: number;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const unitDays: Readonly<Record<string, number>> = { d: 1, w: 7 };
const unitMonths: Readonly<Record<string, number>> = { M: 1, Q: 3, y: 12 };

function readParts(time: Date, isLocal: boolean): TimeParts {
  const offsetMinutes = isLocal ? -time.getTimezoneOffset() : 0;
  const shown = new Date(time.getTime() + offsetMinutes * 60_000);
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth(),
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
    milli: shown.getUTCMilliseconds(),
    offsetMinutes,
  };
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

function printOffset({ offsetMinutes }: TimeParts, colon: string): string {
  const minutes = Math.abs(offsetMinutes);
  return `${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${colon}${pad(minutes % 60)}`;
}

/** Tokens of the REST Client's time patterns, which are those of Day.js. */
const tokens: Readonly<Record<string, (parts: TimeParts) => string>> = {
  YYYY: ({ year }) => pad(year, 4),
  YY: ({ year }) => pad(year % 100),
  MMMM: ({ month }) => months[month]!,
  MMM: ({ month }) => months[month]!.slice(0, 3),
  MM: ({ month }) => pad(month + 1),
  M: ({ month }) => String(month + 1),
  DD: ({ day }) => pad(day),
  D: ({ day }) => String(day),
  dddd: ({ weekday }) => weekdays[weekday]!,
  ddd: ({ weekday }) => weekdays[weekday]!.slice(0, 3),
  dd: ({ weekday }) => weekdays[weekday]!.slice(0, 2),
  d: ({ weekday }) => String(weekday),
  HH: ({ hour }) => pad(hour),
  H: ({ hour }) => String(hour),
  hh: ({ hour }) => pad(hour % 12 || 12),
  h: ({ hour }) => String(hour % 12 || 12),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  a: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  mm: ({ minute }) => pad(minute),
  m: ({ minute }) => String(minute),
  ss: ({ second }) => pad(second),
  s: ({ second }) => String(second),
  SSS: ({ milli }) => pad(milli, 3),
  ZZ: (parts) => printOffset(parts, ''),
  Z: (parts) => printOffset(parts, ':'),
};
const tokenPattern = new RegExp(
  String.raw`\[([^\]]+)\]|` +
    Object.keys(tokens)
      .toSorted((a, b) => b.length - a.length)
      .join('|'),
  'g',
);

/** Writes a time by a pattern such as `YYYY-MM-DD HH:mm:ss`; `[text]` stands for itself. */
export function formatTime(time: Date, pattern: string, isLocal: boolean): string {
  const parts = readParts(time, isLocal);
  return pattern.replace(tokenPattern, (token, literal?: string) => literal ?? tokens[token]!(parts));
}

/** Of a local time the clock's hour stays, over a change to or from summer time, too. */
function addDays(time: Date, count: number, isLocal: boolean): Date {
  const moved = new Date(time);
  if (isLocal) moved.setDate(moved.getDate() + count);
  else moved.setUTCDate(moved.getUTCDate() + count);
  return moved;
}

/** A day of a shorter month is its last one. */
function addMonths(time: Date, count: number, isLocal: boolean): Date {
  const { year, month, day } = readParts(time, isLocal);
  const lastDay = new Date(Date.UTC(year, month + count + 1, 0)).getUTCDate();
  const moved = new Date(time);
  if (isLocal) moved.setFullYear(year, month + count, Math.min(day, lastDay));
  else moved.setUTCFullYear(year, month + count, Math.min(day, lastDay));
  return moved;
}

/** By how much a time is moved; without a count it stays. */
export interface TimeShift {
  count?: number;
  unit?: string;
}

/** Reads `-1 d` behind an expression; null: there is something else. */
export function readShift(text: string): TimeShift | null {
  if (text.trim() === '') return {};
  const found = /^\s*([+-]?\d{1,9})\s*(ms|s|m|h|d|w|M|Q|y)\s*$/.exec(text);
  return found === null ? null : { count: Number(found[1]), unit: found[2] ?? '' };
}

/** Moves a time; null: to where no calendar reaches. */
export function shiftTime(time: Date, { count = 0, unit = 'ms' }: TimeShift, isLocal: boolean): Date | null {
  const [inMs, inDays] = [unitMs[unit], unitDays[unit]];
  let shifted: Date;
  if (inMs !== undefined) shifted = new Date(time.getTime() + count * inMs);
  else if (inDays !== undefined) shifted = addDays(time, count * inDays, isLocal);
  else shifted = addMonths(time, count * unitMonths[unit]!, isLocal);
  return Number.isNaN(shifted.getTime()) ? null : shifted;
}
