import { cutMasked } from '@shared/cut-masked';
import { maskSecrets } from '@shared/mask-secrets';
import { readAnswer } from '@shared/payments/read-answer';
import { toPlainLine } from '@shared/plain-text';
import type { StoredExchange } from '../lens/proxy/stored-exchange';
import { isKeptCut, readSignatureState } from '../lens/proxy/view-exchange';

const MOST_SAID = 300;

/**
 * Writes an exchange for a terminal: a line of what passed, then, indented, what is wrong with it and why.
 *
 * What came from elsewhere is bounded, masked, and moves no cursor.
 */
export function writeExchangeLines(exchange: StoredExchange): string[] {
  const { at, durationMs, method, path, httpStatus, reference, detail } = exchange;
  const head = [
    new Date(at).toISOString(),
    `${method} ${path}`,
    `${httpStatus ?? 'no answer'} after ${Math.round(durationMs)} ms`,
    ...(reference === null ? [] : [reference]),
    ...describeSignature(detail),
  ];
  const doctor = isRefused(detail) ? (detail.signature?.explanation ?? null) : null;
  const said = readRefusal(exchange);
  const below = [
    ...(doctor === null ? [] : [doctor]),
    ...(said === null ? [] : [`the service said: ${said}`]),
    ...detail.fieldProblems.map(({ field, message }) => `${field} ${message}`),
  ];
  return [head.join('  '), ...below.map((line) => `    ${line}`)].map(toPlainLine);
}

type Detail = StoredExchange['detail'];

/** A missing header has no cause that the doctor could find. */
const isRefused = (detail: Detail): boolean => readSignatureState(detail) === 'refused';

function describeSignature(detail: Detail): string[] {
  switch (readSignatureState(detail)) {
    case null:
    case 'unchecked':
      return [];
    case 'valid':
      return ['signature valid'];
    case 'missing':
      return ['no X-Custom-Signature header'];
    case 'refused': {
      const { verdict, causes } = detail.signature!;
      const codes = causes.map(({ code }) => code).join(', ');
      const found = verdict === 'not_a_signature' ? 'no signature of a key of this size' : verdict;
      return [`signature does not verify${found === null ? '' : `: ${found}`}${codes && ` (${codes})`}`];
    }
  }
}

/** What an answer that refuses gives as its reason; null: it is none, or says nothing. */
function readRefusal({ operation, httpStatus, answerBody, detail }: StoredExchange): string | null {
  if (httpStatus === null || httpStatus < 400 || detail.reason !== null) return null;
  const text = answerBody.toString('utf8');
  const { code, description } = readAnswer(operation ?? 'other', httpStatus, text);
  const said = [code, description].filter((part) => part !== null).join(': ');
  const whole = isKeptCut(answerBody, detail.answerBytes) ? `${detail.answerBytes} bytes` : null;
  const told = said === '' ? text.trim() : said;
  return told === '' ? null : cutMasked(told, maskSecrets, MOST_SAID, said === '' ? whole : null);
}
