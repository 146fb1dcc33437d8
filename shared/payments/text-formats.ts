const ZERO = 48;
const NINE = 57;

function isDigits(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit < ZERO || unit > NINE) return false;
  }
  return end > start;
}

function readTwo(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(text: string): boolean {
  if (!isDigits(text, 0, 4) || text.charCodeAt(4) !== 45 || !isDigits(text, 5, 7)) return false;
  if (text.charCodeAt(7) !== 45 || !isDigits(text, 8, 10)) return false;
  const year = readTwo(text, 0) * 100 + readTwo(text, 2);
  const month = readTwo(text, 5);
  const day = readTwo(text, 8);
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeap ? 29 : daysInMonth[month - 1]!);
}

function isTimeOfDay(text: string, at: number): boolean {
  return (
    isDigits(text, at, at + 2) &&
    text.charCodeAt(at + 2) === 58 &&
    isDigits(text, at + 3, at + 5) &&
    text.charCodeAt(at + 5) === 58 &&
    isDigits(text, at + 6, at + 8) &&
    readTwo(text, at) <= 23 &&
    readTwo(text, at + 3) <= 59 &&
    readTwo(text, at + 6) <= 59
  );
}

/** Tells whether this is a day of the calendar written `YYYY-MM-DD`. @source part 2.1 */
export function isCalendarDate(text: string): boolean {
  return text.length === 10 && isDay(text);
}

/** Tells whether this is `YYYY-MM-DD HH:mm:ss`, the pattern of a remittance. @source part 2.1 */
export function isPlainTimestamp(text: string): boolean {
  return text.length === 19 && text.charCodeAt(10) === 32 && isDay(text) && isTimeOfDay(text, 11);
}

/** Tells whether this is ISO 8601 in UTC, `YYYY-MM-DDTHH:mm:ss` with any fraction, ending in `Z`. @source part 2.2 */
export function isUtcTimestamp(text: string): boolean {
  const last = text.length - 1;
  if (last < 19 || text.charCodeAt(last) !== 90 || text.charCodeAt(10) !== 84) return false;
  if (!isDay(text) || !isTimeOfDay(text, 11)) return false;
  return last === 19 || (text.charCodeAt(19) === 46 && isDigits(text, 20, last));
}

/**
 * Tells whether this is a phone number with its country prefix: 7 to 15 digits, the first not 0, no plus sign.
 * @source part 2.1; ITU-T E.164 for the length and for prefixes never beginning with 0
 */
export function isMsisdn(text: string): boolean {
  return (
    text.length >= 7 && text.length <= 15 && text.charCodeAt(0) !== ZERO && isDigits(text, 0, text.length)
  );
}

/** Tells whether this looks like an email address: something, one `@`, a name, no white space. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1 || at === text.length - 1 || text.includes('@', at + 1)) return false;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) <= 32) return false;
  return true;
}

/** Tells whether a host, in a URL or by itself, is this machine: `localhost`, 127.0.0.0/8 or `::1`. */
export function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/** Parses an absolute http or https address; null for anything else. */
export function parseWebUrl(text: string): URL | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.hostname !== '' ? url : null;
}

/** Tells whether an address holds a user name or a password: it would stand in lists, logs and reports. */
export function holdsUserInfo({ username, password }: Pick<URL, 'username' | 'password'>): boolean {
  return username !== '' || password !== '';
}

let latest: { readonly text: string; readonly url: URL | null } = { text: '', url: null };

/** Does what {@link parseWebUrl} does for someone who only looks at it; remembers the latest, which a client repeats. */
export function readWebUrl(text: string): Readonly<Pick<URL, 'protocol' | 'hostname'>> | null {
  if (text !== latest.text) latest = { text, url: parseWebUrl(text) };
  return latest.url;
}
