import { maskHeaders } from '@shared/mask-secrets';
import { isSecretName, maskSecret } from '@shared/secrets';
import { createHiding, type Hide } from '../../platform/mask-message';
import { toPlainJson } from '@shared/plain-text';

/** Of one answer as it goes over the wire: well under the 300 kB that agents are promised. */
export const MOST_ANSWER_BYTES = 280_000;

/** Characters of a text, elements of a list: the first pair that makes an answer fit is taken. */
const LIMITS = [
  { text: 120_000, list: 1000 },
  { text: 40_000, list: 500 },
  { text: 10_000, list: 200 },
  { text: 3000, list: 100 },
  { text: 1000, list: 50 },
  { text: 300, list: 20 },
  { text: 100, list: 5 },
];
const MOST_DEPTH = 20;
const MOST_NOTES = 20;

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{1,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g;
/** Secrets that sandboxes and Standard Webhooks make: they say what they are. */
const MADE_SECRET = /\b(?:whsec_[\w+/=-]{16,200}|(?:cs|sa|ta)_[0-9a-f]{32,64})/g;

/** What shells call the folder that they are in: `pwd` is a password elsewhere. */
const folders = new Set(['PWD', 'OLDPWD']);

/**
 * Makes what hides secrets in texts: those that this run was given, and what shows by itself that it is one.
 *
 * @param kept - those of the vault
 */
export function createSecretHiding(
  variables: Readonly<Record<string, string | undefined>>,
  kept: readonly string[] = [],
): Hide {
  const given = Object.entries(variables)
    .filter(([name]) => isSecretName(name) && !folders.has(name))
    .flatMap(([, value = '']) => [value, ...value.split(/\s+/)]);
  const hide = createHiding([...new Set([...given, ...kept])]);
  return (text) =>
    hide(text)
      .replace(PRIVATE_KEY, () => maskSecret(''))
      .replace(MADE_SECRET, maskSecret);
}

/**
 * Writes an answer as JSON that is short enough, without secrets; what was cut stands in its `cut`.
 *
 * Secrets are masked before anything is cut, so that no half of one is left.
 */
export function fitAnswer(answer: Readonly<Record<string, unknown>>, hide: Hide): string {
  const masked = mask(answer, hide, 0) as Record<string, unknown>;
  for (const limits of LIMITS) {
    const cut = new Notes();
    const shown = shorten(masked, '', limits, cut) as Record<string, unknown>;
    const text = toPlainJson(cut.isEmpty ? shown : { ...shown, cut: cut.list() });
    if (Buffer.byteLength(JSON.stringify(text)) <= MOST_ANSWER_BYTES) return text;
  }
  return toPlainJson({ cut: ['All of it: the answer is too long. Ask for less.'] });
}

function mask(value: unknown, hide: Hide, depth: number): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') return hide(String(value)) === String(value) ? value : maskSecret('');
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MOST_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((one) => mask(one, hide, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'headers' && Array.isArray(member)) {
        return [name, mask(maskHeaders(member as [string, string][]), hide, depth + 1)];
      }
      const isSecret = (typeof member === 'string' || typeof member === 'number') && isSecretName(name);
      // A name may be anything, too: of what others answer, and of what their files hold.
      return [hide(name), isSecret ? maskSecret(String(member)) : mask(member, hide, depth + 1)];
    }),
  );
}

function shorten(value: unknown, where: string, limits: (typeof LIMITS)[number], cut: Notes): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.text) return value;
    cut.add(where, `the first ${limits.text} of ${value.length} characters`);
    return value.slice(0, limits.text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, shorten(one, `${where}/${name}`, limits, cut)]),
    );
  }
  if (value.length > limits.list) cut.add(where, `the first ${limits.list} of ${value.length}`);
  return value.slice(0, limits.list).map((one, index) => shorten(one, `${where}/${index}`, limits, cut));
}

/** What was cut, a line each; of many the first. */
class Notes {
  private readonly lines: string[] = [];
  private more = 0;

  add(where: string, what: string): void {
    if (this.lines.length < MOST_NOTES) this.lines.push(`${where.slice(0, 200)}: ${what}`);
    else this.more += 1;
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  list(): string[] {
    return this.more === 0 ? this.lines : [...this.lines, `and ${this.more} more`];
  }
}
