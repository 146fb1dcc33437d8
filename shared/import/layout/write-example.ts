import { isHeaderName } from '../../find-header';
import { printExample } from '../../http-file/example-file';
import { maskHeaders } from '../../mask-secrets';
import { maskCredentials } from '../credentials';
import type { ImportedExample } from '../imported';

/**
 * Prints an answer of another tool as one of ours.
 *
 * Nobody sends it: what is secret in it is masked, as in answers that are kept here.
 * @param maskValues - masks literal credentials of the whole import, which a service may repeat; null: it cannot tell
 * @returns null: nobody can tell in time what is secret in it
 */
export function printImportedExample(
  example: ImportedExample,
  maskValues: (text: string) => string | null,
): string | null {
  const { request, httpStatus, reason, headers, body } = example;
  let isTold = true;
  const mask = (text: string): string => {
    const masked = maskValues(maskCredentials(text));
    isTold &&= masked !== null;
    return masked ?? '';
  };
  const printed = printExample({
    block: null,
    receivedAt: null,
    request: request === null ? null : mask(request),
    httpStatus,
    reason,
    headers: maskHeaders(headers.filter(([name]) => isHeaderName(name))).map(([name, value]) => [
      name,
      mask(value),
    ]),
    body: mask(body),
  });
  return isTold ? printed : null;
}
