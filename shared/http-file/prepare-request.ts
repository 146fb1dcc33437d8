import type { Operation } from '../contract/common';
import { AppError } from '../errors';
import { inspectBody, type BodyInspection } from '../signing/inspect-body';
import type { HttpFile, HttpFileFault, HttpRequestBlock } from './http-file';
import { resolveRequest, type ResolvedRequest, type ResolveInputs } from './resolve-request';

/**
 * A request as a preview shows it, a send sends it and a dry run prints it: variables filled in, apart from
 * `{{token.…}}` and `{{signature}}`, which the back end alone has.
 */
export interface PreparedRequest extends ResolvedRequest {
  /** As its file names it; null: it does not. */
  name: string | null;
  operation: Operation;
  /** Whether the service asks for a signature, or the request carries one. */
  isSigned: boolean;
  /**
   * String to sign with its spans, and what is wrong with it, in offsets of `body`. Of a request that is not signed:
   * why its JSON body is none; else null.
   */
  inspection: BodyInspection | null;
  /** What the file says of it and we do not do. */
  notes: readonly HttpFileFault[];
  /** What keeps it from being read whole. */
  faults: readonly HttpFileFault[];
}

const signatureVariable = /\{\{\s*signature\s*\}\}/;
const signedOperations: readonly Operation[] = ['remittance', 'payout'];

/**
 * Prepares one request of a file: resolves it once and reads the string to sign from the result.
 *
 * Runs on each key stroke. Whoever shows, signs, sends or prints a request takes it from here, so that none can differ.
 */
export function prepareRequest(block: HttpRequestBlock, inputs: ResolveInputs): PreparedRequest {
  const resolved = resolveRequest(block, inputs);
  const isSigned =
    signedOperations.includes(block.operation) ||
    block.headers.some(({ value }) => signatureVariable.test(value));
  return {
    ...resolved,
    name: block.name,
    operation: block.operation,
    isSigned,
    inspection: inspect(resolved, isSigned),
    notes: block.notes,
    faults: block.faults,
  };
}

function inspect(resolved: ResolvedRequest, isSigned: boolean): BodyInspection | null {
  if (resolved.body === null || (!isSigned && !isJson(resolved))) return null;
  const inspection = inspectBody(resolved.body);
  if (isSigned) return inspection;
  // Unsigned fields may be anything; that a JSON body reads as JSON still matters.
  return inspection.error?.code === 'signing.not_json' ? { ...inspection, lints: [] } : null;
}

const isJson = ({ headers }: ResolvedRequest): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /\bjson\b/i.test(value));

/**
 * Takes the one request of a file that is meant.
 *
 * @param fileName - what errors call the file
 * @param name - of the block; left out: the file has one only
 * @throws {AppError} `collections.bad_file` with the line of its fault; `collections.no_request`, which names the choice
 */
export function chooseRequest(file: HttpFile, fileName: string, name?: string): HttpRequestBlock {
  const chosen = name === undefined ? file.requests : file.requests.filter((one) => one.name === name);
  const [block] = chosen;
  const fault = block === undefined ? file.faults[0] : block.faults[0];
  if (fault !== undefined && chosen.length < 2) {
    throw new AppError('collections.bad_file', `${fileName}, line ${fault.line}: ${fault.message}`);
  }
  if (block !== undefined && chosen.length === 1) return block;
  const names = file.requests.map((one) => `'${one.name ?? `line ${one.line}`}'`).join(', ');
  throw new AppError(
    'collections.no_request',
    block === undefined
      ? `${fileName} has no request '${name ?? ''}', but ${names}.`
      : `${fileName} has ${chosen.length} requests: choose one with --name (${names}).`,
  );
}
