import type { Operation } from '../contract/common';
import { cutMasked } from '../cut-masked';
import { maskSecrets } from '../mask-secrets';
import { readAnswer } from './read-answer';

const MOST_SAID = 300;

/**
 * What an answer that refuses gives as its reason, masked and bounded; null: it is none, or says nothing.
 *
 * @param keptOf - bytes that came, where the text is the beginning of them alone
 */
export function readRefusal(
  operation: Operation | null,
  httpStatus: number | null,
  text: string,
  keptOf: number | null,
): string | null {
  if (httpStatus === null || httpStatus < 400) return null;
  const { code, description } = readAnswer(operation ?? 'other', httpStatus, text);
  const said = [code, description].filter((part) => part !== null).join(': ');
  const told = said === '' ? text.trim() : said;
  const size = said === '' && keptOf !== null ? `${keptOf} bytes` : null;
  return told === '' ? null : cutMasked(told, maskSecrets, MOST_SAID, size);
}
