import type { SignedFieldName } from '@shared/contract/common';
import type { DynamicValues } from '@shared/http-file/dynamic-values';
import type { HttpFile, HttpRequestBlock } from '@shared/http-file/http-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { mapToSource, resolveRequest, type ResolvedRequest } from '@shared/http-file/resolve-request';
import { inspectBody, type BodyInspection } from '@shared/signing/inspect-body';

/** A signed field where it stands in the body as edited (variables unresolved). */
export interface FieldMark {
  field: SignedFieldName;
  start: number;
  end: number;
}

/** Something wrong or doubtful in the body as edited. */
export interface BodyProblem {
  code: string;
  message: string;
  severity: 'error' | 'warning';
  /** Offsets in the body as edited; null: it stands nowhere (a field that is missing). */
  range: { start: number; end: number } | null;
  /** A change of the body as edited that ends it. */
  fix: { label: string; start: number; end: number; replacement: string } | null;
}

/** Everything that the editor shows about one request, from one resolution. */
export interface RequestInsight {
  file: HttpFile;
  /** Null where the file holds no request that could be read. */
  block: HttpRequestBlock | null;
  resolved: ResolvedRequest | null;
  /** Whether the service asks for a signature, or the request carries one. */
  isSigned: boolean;
  /** String to sign and spans, in offsets of the resolved body; null: not signed. */
  inspection: BodyInspection | null;
  marks: FieldMark[];
  problems: BodyProblem[];
}

const signatureVariable = /\{\{\s*signature\s*\}\}/;

function asksForSignature(block: HttpRequestBlock): boolean {
  if (block.operation === 'remittance' || block.operation === 'payout') return true;
  return block.headers.some(({ value }) => signatureVariable.test(value));
}

const isJson = ({ headers }: ResolvedRequest): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /\bjson\b/i.test(value));

/** Maps a range of the resolved body to the body as edited; `isWhole` tells that it begins or ends inside a variable. */
function toEdited(resolved: ResolvedRequest, start: number, end: number) {
  const range = mapToSource(resolved.bodyMap, start, end);
  const touchesVariable = resolved.bodyMap.some(
    (segment) => segment.variable !== null && segment.start < end && segment.end > start,
  );
  return { range, touchesVariable };
}

function listProblems(resolved: ResolvedRequest, inspection: BodyInspection): BodyProblem[] {
  const problems: BodyProblem[] = [];
  if (inspection.error) {
    const { offset } = inspection.error.details as { offset?: number };
    problems.push({
      code: inspection.error.code,
      message: inspection.error.message,
      severity: 'error',
      range: typeof offset === 'number' ? toEdited(resolved, offset, offset + 1).range : null,
      fix: null,
    });
  }
  for (const lint of inspection.lints) {
    const { range, touchesVariable } = toEdited(resolved, lint.start, lint.end);
    // A value that comes from a variable is mended where the variable is defined, not by writing over it.
    const edit = lint.fix && !touchesVariable ? toEdited(resolved, lint.fix.start, lint.fix.end).range : null;
    problems.push({
      code: lint.code,
      message: lint.message,
      severity: 'warning',
      range,
      fix: lint.fix && edit ? { label: lint.fix.label, replacement: lint.fix.replacement, ...edit } : null,
    });
  }
  return problems;
}

/**
 * Reads one request of a file: resolves it once, and takes string to sign, marks and warnings from that.
 *
 * Runs on each key stroke. What it shows is what is sent, because sending takes `resolved` from here.
 */
export function inspectRequest(
  text: string,
  requestIndex: number,
  inputs: { variables: Readonly<Record<string, string>>; dynamic: DynamicValues },
): RequestInsight {
  const file = parseHttpFile(text);
  const block = file.requests[requestIndex] ?? file.requests[0] ?? null;
  if (!block) {
    return { file, block, resolved: null, isSigned: false, inspection: null, marks: [], problems: [] };
  }
  const resolved = resolveRequest(block, inputs);
  const isSigned = asksForSignature(block);
  if (resolved.body === null || (!isSigned && !isJson(resolved))) {
    return { file, block, resolved, isSigned, inspection: null, marks: [], problems: [] };
  }
  const inspection = inspectBody(resolved.body);
  if (!isSigned) {
    // Unsigned fields may be anything; that a JSON body reads as JSON still matters.
    const isBroken = inspection.error?.code === 'signing.not_json';
    const problems = isBroken ? listProblems(resolved, { ...inspection, lints: [] }) : [];
    return { file, block, resolved, isSigned, inspection: null, marks: [], problems };
  }
  const marks = (inspection.toSign?.spans ?? []).map((span) => ({
    field: span.field,
    ...toEdited(resolved, span.bodyStart, span.bodyEnd).range,
  }));
  return { file, block, resolved, isSigned, inspection, marks, problems: listProblems(resolved, inspection) };
}
