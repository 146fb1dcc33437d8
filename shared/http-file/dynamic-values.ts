/** What dynamic values are made of; the same shape as the `random` port. */
export interface DynamicSources {
  /** Epoch milliseconds. Read once: all times of one request agree. */
  now(): number;
  random: { uuid(): string; bytes(count: number): Uint8Array };
}

/** Values of `{{$…}}` expressions, each drawn once and then kept. */
export interface DynamicValues {
  /**
   * Gives the value of an expression, or null where it is none of ours.
   *
   * @param expression - without braces, such as `$uuid` or `$randomInt 1 10`
   * @param occurrence - counts the same expression within one request, from 0
   */
  get(expression: string, occurrence: number): string | null;
  /** Forgets all values: the next request draws its own. */
  renew(): void;
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
  w: 7 * dayMs,
};
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const letters = 'abcdefghijklmnopqrstuvwxyz';

function formatTime(time: Date, pattern: string): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, '0');
  const parts: Readonly<Record<string, string>> = {
    YYYY: pad(time.getUTCFullYear(), 4),
    MM: pad(time.getUTCMonth() + 1),
    DD: pad(time.getUTCDate()),
    HH: pad(time.getUTCHours()),
    mm: pad(time.getUTCMinutes()),
    ss: pad(time.getUTCSeconds()),
    SSS: pad(time.getUTCMilliseconds(), 3),
    Z: '+00:00',
  };
  return pattern.replace(/\[([^\]]*)\]|YYYY|SSS|MM|DD|HH|mm|ss|Z/g, (token, literal: string | undefined) =>
    literal === undefined ? (parts[token] ?? token) : literal,
  );
}

function shiftTime(time: Date, amount: number, unit: string): Date {
  const shifted = new Date(time);
  if (unit === 'y') shifted.setUTCFullYear(time.getUTCFullYear() + amount);
  else if (unit === 'M') shifted.setUTCMonth(time.getUTCMonth() + amount);
  else shifted.setTime(time.getTime() + amount * (unitMs[unit] ?? 0));
  return shifted;
}

/** Reads `-1 d` at the end of an expression; null: there is something else. */
function readShift(text: string, time: Date): Date | null {
  if (text.trim() === '') return time;
  const found = /^\s*([+-]?\d{1,9})\s+(ms|s|m|h|d|w|M|y)\s*$/.exec(text);
  if (found === null) return null;
  const shifted = shiftTime(time, Number(found[1]), found[2] ?? '');
  return Number.isNaN(shifted.getTime()) ? null : shifted;
}

function printDatetime(args: string, now: Date): string | null {
  const found = /^\s*(?:"([^"]*)"|'([^']*)'|(rfc1123|iso8601))(.*)$/.exec(args);
  if (found === null) return null;
  const time = readShift(found[4] ?? '', now);
  if (time === null) return null;
  if (found[3] === 'iso8601') return time.toISOString();
  if (found[3] === 'rfc1123') {
    const weekday = weekdays[time.getUTCDay()] ?? '';
    const month = months[time.getUTCMonth()] ?? '';
    return formatTime(time, `[${weekday}], DD [${month}] YYYY HH:mm:ss [GMT]`);
  }
  return formatTime(time, found[1] ?? found[2] ?? '');
}

function drawInteger(random: DynamicSources['random'], from: number, to: number): string | null {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to <= from) return null;
  const draw = random.bytes(6).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 48;
  return String(from + Math.floor(draw * (to - from)));
}

function drawText(random: DynamicSources['random'], alphabet: string, lengthText: string): string | null {
  const length = Number(lengthText);
  if (!Number.isInteger(length) || length < 1 || length > 1000) return null;
  return Array.from(random.bytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

function readNumbers(args: string): [number, number] | null {
  const found = /^[\s(]*(-?\d{1,15})[\s,]+(-?\d{1,15})[\s)]*$/.exec(args);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

type Maker = (args: string, now: Date, random: DynamicSources['random']) => string | null;

const drawUuid: Maker = (args, _now, random) => (args === '' ? random.uuid() : null);
const drawFromRange: Maker = (args, _now, random) => {
  const range = args === '' ? ([0, 1000] as const) : readNumbers(args);
  return range && drawInteger(random, range[0], range[1]);
};
const drawFrom =
  (alphabet: string): Maker =>
  (args, _now, random) =>
    drawText(random, alphabet, args.replace(/[()\s]/g, ''));

/** Names as JetBrains IDEs and the VS Code REST Client have them. Times are UTC. */
const makers: Readonly<Record<string, Maker>> = {
  $uuid: drawUuid,
  $guid: drawUuid,
  '$random.uuid': drawUuid,
  $timestamp: (args, now) => {
    const time = readShift(args, now);
    return time && String(Math.floor(time.getTime() / 1000));
  },
  $isoTimestamp: (args, now) => readShift(args, now)?.toISOString() ?? null,
  $datetime: (args, now) => printDatetime(args, now),
  $randomInt: drawFromRange,
  '$random.integer': drawFromRange,
  '$random.alphabetic': drawFrom(letters + letters.toUpperCase()),
  '$random.alphanumeric': drawFrom(`${letters}0123456789`),
  '$random.hexadecimal': drawFrom('0123456789abcdef'),
};

/**
 * Makes the memo that pins dynamic values.
 *
 * Preview, signature and the bytes sent come from one memo, so that what was shown is what goes out; `renew` it after
 * sending. The remittance's `YYYY-MM-DD HH:mm:ss` is `{{$datetime 'YYYY-MM-DD HH:mm:ss'}}`, the REST Client's own form.
 */
export function createDynamicValues(sources: DynamicSources): DynamicValues {
  const values = new Map<string, string | null>();
  let now: Date | null = null;
  return {
    get(expression, occurrence) {
      const key = `${occurrence} ${expression}`;
      const known = values.get(key);
      if (known !== undefined) return known;
      const [name = ''] = /^\$[A-Za-z]+(?:\.[A-Za-z]+)?/.exec(expression) ?? [];
      const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
      now ??= new Date(sources.now());
      const value = make?.(expression.slice(name.length).trim(), now, sources.random) ?? null;
      values.set(key, value);
      return value;
    },
    renew() {
      values.clear();
      now = null;
    },
  };
}
