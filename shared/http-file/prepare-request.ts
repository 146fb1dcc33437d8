import type { Operation } from '../contract/common';
import { AppError } from '../errors';
import { inspectBody, type BodyInspection } from '../signing/inspect-body';
import type { HttpFile, HttpFileFault, HttpRequestBlock } from './http-file';
import { listLooseFaults } from './parse-http-file';
import { createLineFinder, findForeignVariables, type ForeignVariable } from './foreign-variables';
import {
  maxDepth,
  maxFilledChars,
  resolveRequest,
  type ResolvedRequest,
  type ResolveInputs,
} from './resolve-request';
import { listSome } from '../list-some';

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
  /** The signature that goes out is the one typed into its header, and not the one of the string to sign. */
  isSignatureTyped: boolean;
  /**
   * String to sign with its spans, and what is wrong with it, in offsets of `body`. Of a request that is not signed:
   * why its JSON body is none; else null.
   */
  readonly inspection: BodyInspection | null;
  /** `# @disabled`: it is shown, and not sent. */
  isDisabled: boolean;
  /** What the file says of it and we do not do. */
  notes: readonly HttpFileFault[];
  /** What has no value and means something in other clients. */
  readonly foreign: readonly ForeignVariable[];
  /** What keeps it from being read whole. */
  faults: readonly HttpFileFault[];
}

const signatureVariable = /\{\{\s*signature\s*\}\}/;
const signatureHeader = 'x-custom-signature';

/** Tells whether a header's value has the signature that the back end makes. */
export function isSignatureVariable(value: string): boolean {
  return signatureVariable.test(value);
}
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
    block.headers.some(({ value }) => isSignatureVariable(value));
  const tooLong = resolved.isTooLong ? [{ line: block.line, message: TOO_LONG }] : [];
  let inspection: { found: BodyInspection | null } | null = null;
  return {
    ...resolved,
    name: block.name,
    operation: block.operation,
    isDisabled: block.isDisabled,
    isSigned,
    isSignatureTyped: resolved.headers.some(
      ([name, value]) => name.toLowerCase() === signatureHeader && !isSignatureVariable(value),
    ),
    // A run and a send ask for none: then none is made.
    get inspection() {
      return (inspection ??= { found: inspect(resolved, isSigned) }).found;
    },
    get foreign() {
      return resolved.unresolved.length === 0 ? [] : findForeignVariables(block, resolved);
    },
    notes: [
      ...block.notes,
      ...noteForeignValues(block, resolved),
      ...noteEntangled(block, resolved),
      ...tooLong,
    ],
    faults: tooLong.length > 0 ? [...block.faults, ...tooLong] : block.faults,
  };
}

const TOO_LONG = `What its variables stand for is more than ${maxFilledChars / 1024 / 1024} MiB, or one of them more than 1 MiB. Shorten them.`;

function inspect(resolved: ResolvedRequest, isSigned: boolean): BodyInspection | null {
  if (resolved.body === null || resolved.files.length > 0 || (!isSigned && !isJson(resolved))) return null;
  const inspection = inspectBody(resolved.body);
  if (isSigned) return inspection;
  // Unsigned fields may be anything; that a JSON body reads as JSON still matters.
  return inspection.error?.code === 'signing.not_json' ? { ...inspection, lints: [] } : null;
}

const isJson = ({ headers }: ResolvedRequest): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /\bjson\b/i.test(value));

/** `{{$processEnv X}}` and such: values that another client would have, and this one never asks for. */
function noteForeignValues(block: HttpRequestBlock, { unresolved }: ResolvedRequest): HttpFileFault[] {
  const lineOf = createLineFinder(block);
  return unresolved
    .filter(isForeignValue)
    .map((one) => ({ line: lineOf(one), message: describeForeignValue(one.name) }));
}

const describeForeignValue = (name: string): string =>
  `{{${name}}} has no value here: put a variable of the environment or of the file in its place.`;

const noteEntangled = ({ line }: HttpRequestBlock, { entangled }: ResolvedRequest): HttpFileFault[] =>
  entangled.length === 0 ? [] : [{ line, message: describeEntangled(entangled) }];

/** Says of variables that are given, and yet stand as written, why. @param entangled - at least one */
export const describeEntangled = (entangled: ResolvedRequest['entangled']): string =>
  `${listSome([...new Set(entangled.map(({ from }) => `{{${from}}}`))])} cannot be filled in: values lead back to themselves, ` +
  `or name one another more than ${maxDepth} deep. Write out what one of them stands for.`;

/** Tells whether an unresolved variable is another client's own, which nobody can give. */
export function isForeignValue({ name }: { name: string }): boolean {
  return name.startsWith('$');
}

/**
 * Says why a request cannot be sent, whatever its variables are; null: it can.
 *
 * Half a request, or one with a text in it that was meant for another client, would be another request than the file's.
 */
export function findRefusal({ isDisabled, faults, unresolved, entangled }: PreparedRequest): AppError | null {
  if (isDisabled) {
    return new AppError(
      'sending.disabled',
      'This request is disabled: take out its line `# @disabled` first.',
    );
  }
  const [fault] = faults;
  if (fault !== undefined) {
    return new AppError('collections.bad_file', `Line ${fault.line}: ${fault.message}`);
  }
  const foreign = unresolved.find(isForeignValue);
  if (foreign !== undefined) return new AppError('sending.unresolved', describeForeignValue(foreign.name));
  return entangled.length === 0 ? null : new AppError('sending.unresolved', describeEntangled(entangled));
}

/**
 * Takes the one request of a file that is meant.
 *
 * @param fileName - what errors call the file
 * @param name - of the block, or `line N` where it has none or shares it; left out: the file has one only
 * @param isNamedByCaller - false: whoever asks has no way to name one
 * @throws {AppError} `collections.bad_file` with the line of its fault; `collections.no_request`, which names the choice
 */
export function chooseRequest(
  file: HttpFile,
  fileName: string,
  name?: string,
  isNamedByCaller = true,
): HttpRequestBlock {
  const { requests, faults } = file;
  const chosen = name === undefined ? requests : findByName(requests, name);
  const [block] = chosen;
  const ownFault = requests.length === 0 ? faults[0] : block?.faults[0];
  if (ownFault !== undefined && chosen.length < 2) throw badFile(fileName, ownFault);
  const unread = listLooseFaults(file).find(({ isVariable }) => isVariable !== true);
  if (block !== undefined && chosen.length === 1) {
    if (name !== undefined || unread === undefined) return block;
    // It may be the one that is meant.
    const other = labelIn(requests, chosen)[0];
    const advice = ` The request that can be read is chosen with --name ${other}.`;
    throw badFile(fileName, unread, isNamedByCaller ? advice : '');
  }
  const labels = listSome(labelIn(requests, block === undefined ? requests : chosen));
  const isNamed = name !== undefined && block !== undefined;
  throw new AppError(
    'collections.no_request',
    block === undefined
      ? `${fileName} has no request '${name ?? ''}', but ${labels}.${unread === undefined ? '' : ` Line ${unread.line} cannot be read: ${unread.message}`}`
      : `${fileName} has ${chosen.length} requests${isNamed ? ` '${name}'` : ''}${isNamedByCaller ? `: choose one with --name (${labels})` : ` (${labels}), and a file of one is sent: give the one that is meant a file of its own, or run all of them`}.`,
  );
}

const badFile = (fileName: string, { line, message }: HttpFileFault, more = ''): AppError =>
  new AppError('collections.bad_file', `${fileName}, line ${line}: ${message}${more}`);

function findByName(requests: readonly HttpRequestBlock[], name: string): readonly HttpRequestBlock[] {
  const named = requests.filter((one) => one.name === name);
  return named.length > 0 ? named : requests.filter(({ line }) => name === `line ${line}`);
}

/** What chooses each of these requests alone: its name, or where it stands. */
function labelIn(requests: readonly HttpRequestBlock[], chosen: readonly HttpRequestBlock[]): string[] {
  const count = new Map<string | null, number>();
  for (const { name } of requests) count.set(name, (count.get(name) ?? 0) + 1);
  return chosen.map(
    ({ name, line }) => `'${name !== null && count.get(name) === 1 ? name : `line ${line}`}'`,
  );
}
