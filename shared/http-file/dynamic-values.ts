import { formatTime, shiftTime } from './format-time';

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
  /** Forgets times alone: what leaves now says when. */
  renewTimes(): void;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

/** What `rfc1123` and `iso8601` are, in UTC and in local time, as the REST Client writes them. */
const namedPatterns = {
  rfc1123: ['ddd, DD MMM YYYY HH:mm:ss [GMT]', 'ddd, DD MMM YYYY HH:mm:ss ZZ'],
  iso8601: ['YYYY-MM-DD[T]HH:mm:ss.SSS[Z]', 'YYYY-MM-DD[T]HH:mm:ssZ'],
} as const;

function printDatetime(args: string, now: Date, isLocal: boolean): string | null {
  const found = /^(?:"([^"]*)"|'([^']*)'|(rfc1123|iso8601))(.*)$/.exec(args);
  if (found === null) return null;
  const time = shiftTime(found[4] ?? '', now, isLocal);
  if (time === null) return null;
  const named = found[3] as keyof typeof namedPatterns | undefined;
  const pattern = named === undefined ? (found[1] ?? found[2] ?? '') : namedPatterns[named][isLocal ? 1 : 0];
  return formatTime(time, pattern, isLocal);
}

/** From 0 up to, not including, 1. */
const drawFraction = (random: DynamicSources['random']): number =>
  random.bytes(6).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 48;

function drawInteger(random: DynamicSources['random'], from: number, to: number): string | null {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to <= from) return null;
  return String(from + Math.floor(drawFraction(random) * (to - from)));
}

function drawText(random: DynamicSources['random'], alphabet: string, length: number): string | null {
  if (!Number.isInteger(length) || length < 1 || length > 1000) return null;
  return Array.from(random.bytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

function readNumbers(args: string): [number, number] | null {
  const found = /^[\s(]*(-?\d{1,15}(?:\.\d{1,15})?)[\s,]+(-?\d{1,15}(?:\.\d{1,15})?)[\s)]*$/.exec(args);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

type Maker = (args: string, now: Date, random: DynamicSources['random']) => string | null;

const drawUuid: Maker = (args, _now, random) => (args === '' ? random.uuid() : null);
const drawFromRange: Maker = (args, _now, random) => {
  const range = args === '' ? ([0, 1000] as const) : readNumbers(args);
  return range && drawInteger(random, range[0], range[1]);
};
const drawFloat: Maker = (args, _now, random) => {
  const range = args === '' ? ([0, 1000] as const) : readNumbers(args);
  return range === null || range[1] <= range[0]
    ? null
    : String(range[0] + drawFraction(random) * (range[1] - range[0]));
};
const drawFrom =
  (alphabet: string): Maker =>
  (args, _now, random) => {
    const length = /^\(?\s*(\d{1,4})\s*\)?$/.exec(args)?.[1];
    return length === undefined ? null : drawText(random, alphabet, Number(length));
  };
const drawEmail: Maker = (args, _now, random) =>
  args === '' ? `${drawText(random, letters, 8)}@example.com` : null;

/** Names as JetBrains IDEs and the VS Code REST Client have them. Times are UTC but for `$localDatetime`. */
const makers: Readonly<Record<string, Maker>> = {
  $uuid: drawUuid,
  $guid: drawUuid,
  '$random.uuid': drawUuid,
  $timestamp: (args, now) => {
    const time = shiftTime(args, now, false);
    return time && String(Math.floor(time.getTime() / 1000));
  },
  $isoTimestamp: (args, now) => shiftTime(args, now, false)?.toISOString() ?? null,
  $datetime: (args, now) => printDatetime(args, now, false),
  $localDatetime: (args, now) => printDatetime(args, now, true),
  $randomInt: drawFromRange,
  '$random.integer': drawFromRange,
  '$random.float': drawFloat,
  '$random.alphabetic': drawFrom(letters + letters.toUpperCase()),
  '$random.alphanumeric': drawFrom(`${letters}${letters.toUpperCase()}${digits}_`),
  '$random.hexadecimal': drawFrom(`${digits}abcdef`),
  '$random.email': drawEmail,
};

/** What may stand after `{{`, as it is written, with what it gives. */
export const dynamicValueNames: readonly { readonly name: string; readonly detail: string }[] = [
  { name: '$uuid', detail: 'a UUID of its own at each place' },
  { name: '$isoTimestamp', detail: 'now, ISO 8601 with Z: payouts' },
  { name: "$datetime 'YYYY-MM-DD HH:mm:ss'", detail: 'now, in UTC: remittances' },
  { name: '$timestamp', detail: 'now, seconds since 1970' },
  { name: "$localDatetime 'YYYY-MM-DD'", detail: 'today, in local time' },
  { name: '$randomInt 1 1000', detail: 'a whole number, from and below' },
  { name: '$random.alphanumeric(10)', detail: 'letters and digits' },
  { name: '$random.hexadecimal(16)', detail: 'hexadecimal digits' },
  { name: '$random.email', detail: 'an address at example.com' },
];

/** A place and an expression that gives a time, as {@link DynamicValues} keeps them. */
const TIME = /^\d+ \$(?:timestamp|isoTimestamp|datetime|localDatetime)\b/;

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
    renewTimes() {
      for (const key of values.keys()) if (TIME.test(key)) values.delete(key);
      now = null;
    },
  };
}
