import { letters, readDrawRecipe, type DrawRecipe } from './draw-recipe';
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

function drawBy(recipe: DrawRecipe, now: Date, random: DynamicSources['random']): string | null {
  switch (recipe.kind) {
    case 'time': {
      const time = shiftTime(now, recipe, recipe.isLocal);
      return time && formatTime(time, recipe.pattern, recipe.isLocal);
    }
    case 'epoch': {
      const time = shiftTime(now, recipe, false);
      return time && String(Math.floor(time.getTime() / 1000));
    }
    case 'integer':
      return drawInteger(random, recipe.from, recipe.to);
    case 'float':
      return recipe.to <= recipe.from
        ? null
        : String(recipe.from + drawFraction(random) * (recipe.to - recipe.from));
    case 'text':
      return drawText(random, recipe.alphabet, recipe.length);
  }
}

function draw(expression: string, now: Date, random: DynamicSources['random']): string | null {
  if (/^\$(?:uuid|guid|random\.uuid)\s*$/.test(expression)) return random.uuid();
  if (/^\$random\.email\s*$/.test(expression)) return `${drawText(random, letters, 8)}@example.com`;
  const recipe = readDrawRecipe(expression);
  return recipe && drawBy(recipe, now, random);
}

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
      now ??= new Date(sources.now());
      const value = draw(expression, now, sources.random);
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
