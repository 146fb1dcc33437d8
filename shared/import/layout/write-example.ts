import { printExample } from '../../http-file/example-file';
import { maskHeaders } from '../../mask-secrets';
import { maskSecret } from '../../secrets';
import { maskCredentials } from '../credentials';
import type { ImportedExample } from '../imported';

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Prints an answer of another tool as one of ours.
 *
 * Nobody sends it: what is secret in it is masked, as in answers that are kept here.
 * @param secrets - literal credentials of the whole import, which a service may repeat
 */
export function printImportedExample(example: ImportedExample, secrets: readonly string[]): string {
  const mask = (text: string): string =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, maskSecret(secret)), maskCredentials(text));
  const { request, httpStatus, reason, headers, body } = example;
  return printExample({
    receivedAt: null,
    request: request === null ? null : mask(request),
    httpStatus,
    reason,
    headers: maskHeaders(headers.filter(([name]) => headerName.test(name))).map(([name, value]) => [
      name,
      mask(value),
    ]),
    body: mask(body),
  });
}
