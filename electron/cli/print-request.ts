import type { StoredRequest } from '../sandbox/requests/stored-request';
import type { CommandContext } from './command';
import { toPlainLine } from '@shared/plain-text';
import { roundMs } from '@shared/round-ms';

/** Prints a request that a sandbox answered, and whose it was; null: the operator's. */
export function printRequest(context: CommandContext, request: StoredRequest, tenant: string | null): void {
  const { id, at, durationMs, method, path, operation, httpStatus, verdict, reference, detail } = request;
  const when = new Date(at).toISOString();
  if (context.isJson) {
    const { reason, fieldErrors, isDropped } = detail;
    const answered = {
      http_status: httpStatus,
      verdict,
      reason,
      field_errors: fieldErrors,
      dropped: isDropped,
    };
    const facts = {
      id,
      at: when,
      duration_ms: roundMs(durationMs),
      method,
      path,
      operation,
      reference,
    };
    context.printJson({ event: 'request', tenant, ...facts, ...answered });
    return;
  }
  const fields = detail.fieldErrors.map(({ field, message }) => `${field} ${message}`).join('; ');
  const why = [detail.reason, fields].filter(Boolean).join(': ');
  const parts = [
    when,
    tenant === null ? null : `[${tenant}]`,
    `${method} ${path}`,
    httpStatus,
    verdict,
    reference,
    why,
  ];
  context.print(toPlainLine(parts.filter((part) => part !== null && part !== '').join('  ')));
}
