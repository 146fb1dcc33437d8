import { nameCause } from '@shared/doctor/causes';
import { verdictWords } from '@shared/doctor/words';
import { ownValue } from '@shared/own-value';
import { readRefusal } from '@shared/payments/read-refusal';
import { toPlainLine } from '@shared/plain-text';
import type { StoredExchange } from '../lens/proxy/stored-exchange';
import { isKeptCut, readSignatureState } from '../lens/proxy/view-exchange';

/**
 * Writes an exchange for a terminal: a line of what passed, then, indented, what is wrong with it and why.
 *
 * What came from elsewhere is bounded, masked, and moves no cursor.
 */
export function writeExchangeLines(exchange: StoredExchange): string[] {
  const { at, durationMs, method, path, httpStatus, reference, detail, answerBody } = exchange;
  const head = [
    new Date(at).toISOString(),
    `${method} ${path}`,
    `${httpStatus ?? 'no answer'} after ${Math.round(durationMs)} ms`,
    ...(reference === null ? [] : [reference]),
    ...describeSignature(detail),
  ];
  const doctor = isRefused(detail) ? (detail.signature?.explanation ?? null) : null;
  const whole = isKeptCut(answerBody, detail.answerBytes) ? detail.answerBytes : null;
  const said = detail.reason === null ? readRefusal(httpStatus, answerBody.toString('utf8'), whole) : null;
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

function describeVerdict(verdict: string | null): string | null {
  return verdict === null ? null : (ownValue<string>(verdictWords, verdict) ?? verdict);
}

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
      const named = causes.map(({ code }) => nameCause(code)).join(', ');
      const found = describeVerdict(verdict);
      return [`signature does not verify${found === null ? '' : `: ${found}`}${named && ` (${named})`}`];
    }
  }
}
