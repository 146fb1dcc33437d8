import type { BodyFix } from '@shared/body/edit-body';
import type { HttpFile, HttpRequestBlock } from '@shared/http-file/http-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { prepareRequest, type PreparedRequest } from '@shared/http-file/prepare-request';
import { mapToSource, type ResolveInputs } from '@shared/http-file/resolve-request';
import { markUnresolved } from './mark-unresolved';
import type { BodyInspection } from '@shared/signing/inspect-body';
import type { ShownSpan } from '../../../ui/string-to-sign-spans';

/** Something wrong or doubtful in the body as edited. */
export interface BodyProblem {
  code: string;
  message: string;
  severity: 'error' | 'warning';
  /** Offsets in the body as edited; null: it stands nowhere (a field that is missing). */
  range: { start: number; end: number } | null;
  /** Changes of the body as edited that end it, the likeliest first. */
  fixes: readonly BodyFix[];
}

/** Everything that the editor shows about one request: as prepared, and where that stands in the text as edited. */
export interface RequestInsight {
  file: HttpFile;
  /** Null where the file holds no request that could be read; so is `prepared`. */
  block: HttpRequestBlock | null;
  prepared: PreparedRequest | null;
  /** The signed fields where they stand in the body as edited. */
  marks: ShownSpan[];
  problems: BodyProblem[];
}

/** Maps a range of the resolved body to the body as edited; `touchesVariable` tells that a value is in it. */
function toEdited({ bodyMap }: PreparedRequest, start: number, end: number) {
  const touchesVariable = bodyMap.some(
    (segment) => segment.variable !== null && segment.start < end && segment.end > start,
  );
  return { range: mapToSource(bodyMap, start, end), touchesVariable };
}

function listProblems(prepared: PreparedRequest, { error, lints }: BodyInspection): BodyProblem[] {
  const problems: BodyProblem[] = [];
  if (error) {
    const { offset } = error.details as { offset?: number };
    problems.push({
      code: error.code,
      message: error.message,
      severity: 'error',
      range: typeof offset === 'number' ? toEdited(prepared, offset, offset + 1).range : null,
      fixes: [],
    });
  }
  for (const lint of lints) {
    const { range, touchesVariable } = toEdited(prepared, lint.start, lint.end);
    // A value that comes from a variable is mended where the variable is defined, not by writing over it.
    const edit = lint.fix && !touchesVariable ? toEdited(prepared, lint.fix.start, lint.fix.end).range : null;
    problems.push({
      code: lint.code,
      message: lint.message,
      severity: 'warning',
      range,
      fixes: lint.fix && edit ? [{ label: lint.fix.label, text: lint.fix.replacement, ...edit }] : [],
    });
  }
  return problems;
}

/**
 * Reads one request of a file as it is edited.
 *
 * Runs on each key stroke. What it shows is what is sent, because sending takes `prepared` from here.
 */
export function inspectRequest(text: string, requestIndex: number, inputs: ResolveInputs): RequestInsight {
  const file = parseHttpFile(text);
  const block = requestIndex === -1 ? null : (file.requests[requestIndex] ?? file.requests[0] ?? null);
  if (!block) return { file, block, prepared: null, marks: [], problems: [] };
  const prepared = prepareRequest(block, inputs);
  const { inspection } = prepared;
  const marks = (inspection?.toSign?.spans ?? []).map(({ field, bodyStart, bodyEnd }) => ({
    field,
    ...toEdited(prepared, bodyStart, bodyEnd).range,
  }));
  const problems = inspection === null ? [] : listProblems(prepared, inspection);
  const unresolved = markUnresolved(block, prepared, problems);
  return { file, block, prepared, marks, problems: [...problems, ...unresolved] };
}
