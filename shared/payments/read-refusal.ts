import { cutMasked } from '../cut-masked';
import { maskSecrets } from '../mask-secrets';
import { readJsonMembers, textOf } from '../json/json-tree';

const MOST_SAID = 300;

/**
 * What an answer that refuses gives as its reason, masked and bounded; null: it is none, or says nothing.
 *
 * @param keptOf - bytes that came, where the text is the beginning of them alone
 */
export function readRefusal(httpStatus: number | null, text: string, keptOf: number | null): string | null {
  if (httpStatus === null || (httpStatus < 400 && !/"REJECTED"/i.test(text))) return null;
  // Whole: what a reading cuts would be masked, and counted, after it was cut.
  const tree = readJsonMembers(text, 'code', 'status', 'error', 'description', 'message');
  // A payment whose reference was used before is answered 200 (4.1).
  const isRejected = ['code', 'status'].some((name) => /^rejected$/i.test(textOf(tree, name) ?? ''));
  if (httpStatus < 400 && !isRejected) return null;
  const code = textOf(tree, 'code') ?? textOf(tree, 'error');
  const description = textOf(tree, 'description') ?? textOf(tree, 'message');
  const said = [code, description].filter((part) => part !== null).join(': ');
  const told = said === '' ? text.trim() : said;
  const size = said === '' && keptOf !== null ? `${keptOf} bytes` : null;
  return told === '' ? null : cutMasked(told, maskSecrets, MOST_SAID, size);
}
