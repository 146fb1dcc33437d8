/** What a local time, or one of UTC, shows: its UTC fields are those of the clock. Minutes east of UTC are positive. */
interface ShownTime {
  at: Date;
  offsetMinutes: number;
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const unitDays: Readonly<Record<string, number>> = { d: 1, w: 7 };
const unitMonths: Readonly<Record<string, number>> = { M: 1, Q: 3, y: 12 };

function showTime(time: Date, isLocal: boolean): ShownTime {
  const offsetMinutes = isLocal ? -time.getTimezoneOffset() : 0;
  return { at: new Date(time.getTime() + offsetMinutes * 60_000), offsetMinutes };
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

function printOffset({ offsetMinutes }: ShownTime, colon: string): string {
  const minutes = Math.abs(offsetMinutes);
  return `${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${colon}${pad(minutes % 60)}`;
}

const nameMonth = (at: Date): string => at.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });
const nameDay = (at: Date): string => at.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });

/** Tokens of the REST Client's time patterns, which are those of Day.js. */
const tokens: Readonly<Record<string, (shown: ShownTime) => string>> = {
  YYYY: ({ at }) => pad(at.getUTCFullYear(), 4),
  YY: ({ at }) => pad(at.getUTCFullYear() % 100),
  MMMM: ({ at }) => nameMonth(at),
  MMM: ({ at }) => nameMonth(at).slice(0, 3),
  MM: ({ at }) => pad(at.getUTCMonth() + 1),
  M: ({ at }) => String(at.getUTCMonth() + 1),
  DD: ({ at }) => pad(at.getUTCDate()),
  D: ({ at }) => String(at.getUTCDate()),
  dddd: ({ at }) => nameDay(at),
  ddd: ({ at }) => nameDay(at).slice(0, 3),
  dd: ({ at }) => nameDay(at).slice(0, 2),
  d: ({ at }) => String(at.getUTCDay()),
  HH: ({ at }) => pad(at.getUTCHours()),
  H: ({ at }) => String(at.getUTCHours()),
  hh: ({ at }) => pad(at.getUTCHours() % 12 || 12),
  h: ({ at }) => String(at.getUTCHours() % 12 || 12),
  A: ({ at }) => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: ({ at }) => (at.getUTCHours() < 12 ? 'am' : 'pm'),
  mm: ({ at }) => pad(at.getUTCMinutes()),
  m: ({ at }) => String(at.getUTCMinutes()),
  ss: ({ at }) => pad(at.getUTCSeconds()),
  s: ({ at }) => String(at.getUTCSeconds()),
  SSS: ({ at }) => pad(at.getUTCMilliseconds(), 3),
  ZZ: (shown) => printOffset(shown, ''),
  Z: (shown) => printOffset(shown, ':'),
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
  const shown = showTime(time, isLocal);
  return pattern.replace(tokenPattern, (token, literal?: string) => literal ?? tokens[token]!(shown));
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
  const { at } = showTime(time, isLocal);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + count];
  const day = Math.min(at.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  const moved = new Date(time);
  if (isLocal) moved.setFullYear(year, month, day);
  else moved.setUTCFullYear(year, month, day);
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
