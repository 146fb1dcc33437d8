import { cutMasked } from '../cut-masked';
import { parseJsonTree } from '../json/json-tree';
import { maskSecrets } from '../mask-secrets';
import { toPlainLine } from '../plain-text';
import { isSecretName, maskSecret } from '../secrets';
import { compareJson, MOST_DIFFERENCES, type JsonDifference } from '../webhooks/compare-json';

type Mask = (text: string) => string;

/** More members than these say no more; how many there are is told. */
const MOST_SHOWN = 4;
const MOST_CHARACTERS = 80;
/** Of what both begin with, so much is shown. */
const KEPT_BEFORE = 20;
/** More than a state may have. */
const MOST_LEVELS = 256;

/**
 * Tells in which members two states differ, as JSON pointers with the values before and after.
 *
 * Bounded, secrets masked, controls written out: a state is what a receiver answered.
 * @param before - parsed JSON, as `after`
 * @param mask - takes out what must not be shown
 */
export function describeStateChange(before: unknown, after: unknown, mask: Mask = maskSecrets): string {
  const [left, right] = [before, after].map((state) => parseJsonTree(JSON.stringify(state), MOST_LEVELS));
  const changes = compareJson(left!, right!).filter(({ kind }) => kind !== 'moved' && kind !== 'written');
  const shown = changes
    .slice(0, MOST_SHOWN)
    .map((one) => describeMember(one, mask))
    .join('; ');
  const rest = changes.length - MOST_SHOWN;
  const few = changes.length < MOST_DIFFERENCES ? '' : 'at least ';
  return toPlainLine(`in the state ${shown}${rest > 0 ? `; and ${few}${rest} more` : ''}`);
}

function describeMember({ pointer, kind, left, right }: JsonDifference, mask: Mask): string {
  const place =
    pointer === '' ? 'the whole' : cutMasked(pointer, (steps) => maskSteps(steps, mask), MOST_CHARACTERS);
  const [before, after] = [left, right].map((value) => maskAt(pointer, value ?? '', mask));
  if (kind === 'added') return `${place} was added: ${cut(after!)}`;
  if (kind === 'removed') return `${place} was removed: ${cut(before!)}`;
  // A secret that changed looks the same once it is masked.
  if (before === after) return `${place} changed (masked)`;
  const from = skipCommon(before!, after!);
  return `${place} ${cut(before!, from)} → ${cut(after!, from)}`;
}

/** A secret of Base64 may hold a slash, which is `~1` in a pointer. */
const maskSteps = (pointer: string, mask: Mask): string =>
  pointer
    .split('/')
    .map((step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return mask(name).replaceAll('~', '~0').replaceAll('/', '~1');
    })
    .join('/');

/** A value is secret by its own name, or by that of what holds it. */
function maskAt(pointer: string, value: string, mask: Mask): string {
  const isSecret = pointer.split('/').some((step) => isSecretName(step));
  if (!isSecret) return mask(value);
  const quote = value.startsWith('"') ? '"' : '';
  return `${quote}${maskSecret(value.slice(quote.length, value.length - quote.length))}${quote}`;
}

/** Where to begin, so that what differs is among what is shown. */
function skipCommon(before: string, after: string): number {
  if (Math.max(before.length, after.length) <= MOST_CHARACTERS) return 0;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return Math.max(0, same - KEPT_BEFORE);
}

function cut(masked: string, from = 0): string {
  const rest = masked.slice(from);
  return `${from > 0 ? '…' : ''}${cutMasked(rest, (text) => text, MOST_CHARACTERS)}`;
}
