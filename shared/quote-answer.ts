import { cutMasked } from './cut-masked';
import { decodeAnswer } from './decode-answer';
import { maskHeader } from './mask-secrets';
import { maskSecret } from './secrets';
import { toPlainLine } from './plain-text';

/** An answer's own words stand at its beginning; behind them come stacks and pages. */
export const QUOTED_BYTES = 4096;

const MOST_SHOWN = 160;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#x27': "'",
};

type AnswerHeaders = Readonly<{ 'content-type'?: string; 'content-encoding'?: string }>;

/** Written together without a space, it may be a key or a token. */
const runs = /[\w+/.~%\\=-]{20,}/g;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What a page does not show; of one that is cut, up to its end. */
const unseen = /<(style|script|title|!--)[^]*?(?:<\/\1>|-->|$)/gi;

/**
 * Gives what an answer says of itself, for a sentence: why a backend refused stands there, and nowhere else.
 *
 * @param bytes - the beginning of its body, at most {@link QUOTED_BYTES}
 * @param headers - those of the answer, by names in small letters
 * @param hide - takes out what must not be shown: what the request proved itself with may be repeated
 * @returns one line in quotation marks, secrets masked, at most 160 characters; empty: it says nothing that can be read
 */
export function quoteAnswer(
  bytes: Uint8Array,
  headers: AnswerHeaders,
  hide: (text: string) => string,
): string {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return '';
  const type = headers['content-type'] ?? '';
  const beginning = [bytes.subarray(0, QUOTED_BYTES)];
  const { text, isExact } = decodeAnswer(beginning, [['content-type', type]], { isCut: true });
  if (!isExact || text.includes('\u0000') || text.includes('\uFFFD')) return '';
  const words = isPage(text, type) ? readPage(text) : text;
  const line = words.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  // How long all of it is nobody counted.
  const whole = bytes.length >= QUOTED_BYTES && line.length > MOST_SHOWN ? '4 KiB or more' : null;
  return `“${toPlainLine(cutMasked(line, (all) => hideTokens(maskHeader('', hide(all))), MOST_SHOWN, whole))}”`;
}

/** A backend may tell a secret that nobody here has ever seen, and no reason that it gives needs one. */
const hideTokens = (line: string): string =>
  line.replace(runs, (run) => (run.split('/').some(isLikeToken) ? maskSecret(run) : run));

const isLikeToken = (part: string): boolean =>
  part.length >= 20 && /\d/.test(part) && /[a-z]/i.test(part) && !uuid.test(part);

const isPage = (text: string, type: string): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(type) || /^\s*<(?:!doctype html|html)/i.test(text);

function readPage(text: string): string {
  return text
    .replace(unseen, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/<[^<>]*$/, '')
    .replace(/&(#?\w{1,6});/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}
