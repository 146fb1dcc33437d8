import { findOperation, operations, type OperationRow } from '@shared/payments/tables/operations';
import type { Product } from '@shared/payments/tables/products';
import { assertNever } from '@shared/errors';
import { answerBalanceError, answerEnvelope, answerErrorObject, answerJson, type Answer } from './answers';
import { initiatePayment } from '../payments/initiate-payment';
import { issueToken } from '../tokens/issue-token';
import { queryStatus } from '../payments/query-status';
import { readBalances } from '../money/read-balances';
import type { SandboxContext } from '../sandbox-context';
import type { ServiceRequest } from './service-request';
import type { SandboxSettings } from '@shared/contract/sandbox';
import { sendSample } from '../webhooks/send-sample';

/** Finds the operation of a path in the form that is set; undefined for any other path. */
export function findServiceRoute(
  path: string,
  pathForm: SandboxSettings['pathForm'],
): OperationRow | undefined {
  const operation = findOperation(path);
  if (operation === undefined || pathForm === 'both' || operation.paths.length === 1) return operation;
  return (path === operation.paths[0]) === (pathForm === 'plain') ? operation : undefined;
}

/** Answers a method that an operation does not have. */
export function answerWrongMethod(operation: OperationRow, requestId: string): Answer {
  const message = `This address takes ${operation.method} only.`;
  const headers = ['Allow', operation.method];
  if (operation.operation === 'balances')
    return { ...answerBalanceError(405, 'not_found', message), headers };
  return answerErrorObject(405, 'not_found', 'method_not_allowed', message, requestId, { headers });
}

/** Answers a path that the service does not have. @source payments-service-interface, part 7.1 */
export function answerUnknownPath(path: string, pathForm: SandboxSettings['pathForm']): Answer {
  const near = findNearPath(path, pathForm);
  const hint = near === null ? '' : ` ${near} is one.`;
  return answerEnvelope('not_found', 'not_found', `Requested resource not found: check the path.${hint}`);
}

/** Finds the path that was meant, by case, slashes, or the base path and the ending of its last word. */
function findNearPath(path: string, pathForm: SandboxSettings['pathForm']): string | null {
  const wanted = simplify(path);
  if (wanted === '') return null;
  const found = Object.values(operations)
    .flatMap(({ paths }) => paths)
    .filter((one) => one !== path && findServiceRoute(one, pathForm) !== undefined)
    .find((one) => wanted === simplify(one) || wanted.endsWith(`/${simplify(one)}`));
  return found ?? null;
}

function simplify(path: string): string {
  const words = path
    .slice(0, 300)
    .toLowerCase()
    .split('/')
    .filter((word) => word !== '');
  return words.map((word) => word.replace(/_/g, '-').replace(/s$/, '')).join('/');
}

/**
 * Checks the bearer token and its product, then runs the operation.
 *
 * @source design 5 (order of the checks); payments-service-interface, part 5
 */
export function runOperation(
  context: SandboxContext,
  operation: OperationRow,
  request: ServiceRequest,
): Answer | Promise<Answer> {
  if (operation.operation === 'token') return issueToken(context, request);
  const isSample = operation.operation === 'send_test';
  // The service's simulator asks for no token; one that the network reaches does not send for everybody.
  if (isSample && !context.isExposed) return sendSample(context, request);
  const reading = context.tokens.read(request.authorization);
  if (!reading.ok) return refuseToken(operation, reading.reason);
  if (isSample) return sendSample(context, request);
  const { product } = reading;
  if (!operation.products.includes(product)) {
    const description = `The token is for ${product}; this operation needs a ${operation.products.join(' or ')} token.`;
    return answerEnvelope('authentication', 'product', description);
  }
  return runWithToken(context, operation, product, request);
}

function runWithToken(
  context: SandboxContext,
  { operation }: OperationRow,
  product: Product,
  request: ServiceRequest,
): Answer | Promise<Answer> {
  switch (operation) {
    case 'payout':
    case 'remittance':
    case 'collection':
      return initiatePayment(context, operation, request);
    case 'status':
      return queryStatus(context, product, request);
    case 'balances':
      return readBalances(context, product, request);
    case 'token':
    case 'send_test':
      return answerJson(500, '{}', 'error');
    default:
      return assertNever(operation);
  }
}

function refuseToken(operation: OperationRow, reason: string): Answer {
  const headers = ['WWW-Authenticate', 'Bearer'];
  if (operation.operation === 'balances') return { ...answerBalanceError(401, 'token', reason), headers };
  return answerEnvelope('token', 'token', reason, { headers });
}
