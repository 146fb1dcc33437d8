import { createDynamicValues } from '../http-file/dynamic-values';
import { JSON_STRING } from '../json/json-sink';
import { findSignedFields } from '../signing/signed-fields';
import type { ExportNote, ExportSource } from './export-source';
import { listExpressions, mapExpressions } from './map-expressions';
import { markVariables } from './mark-variables';
import { listTexts, mapRequest, type PortableRequest } from './portable-requests';
import { encodeForUrl } from '../encode-for-url';

const maxDepth = 5;

/**
 * Fills requests in with values of now, for tools that draw none themselves.
 *
 * `{{last_reference}}` becomes the reference of the payment above it whose product the request has a token of. What has
 * no value stays.
 * @param values - of named variables; their own variables are filled in, too
 */
export function fillRequests(
  requests: readonly PortableRequest[],
  values: Readonly<Record<string, string>>,
  sources: ExportSource['sources'],
): PortableRequest[] {
  const references = new Map<string, string>();
  return requests.map((request) => {
    const product = findProduct(request);
    const last = references.get(product) ?? references.get('');
    const filled = fillRequest(
      request,
      { ...values, ...(last !== undefined && { last_reference: last }) },
      sources,
    );
    const reference = product === '' ? null : readReference(filled);
    if (reference !== null) references.set(product, reference).set('', reference);
    return filled;
  });
}

/** Says once that an export holds values of now, where it does. */
export function noteDrawn(
  { name }: Pick<ExportSource, 'name'>,
  requests: readonly PortableRequest[],
  notes: ExportNote[],
): void {
  const isDrawn = requests.some((one) =>
    listTexts(one)
      .flatMap(listExpressions)
      .some((expression) => expression.startsWith('$')),
  );
  if (!isDrawn) return;
  notes.push({
    where: name,
    what: 'References, times and all else that is drawn anew for each request have the values of this export.',
  });
}

function fillRequest(
  request: PortableRequest,
  values: Readonly<Record<string, string>>,
  sources: ExportSource['sources'],
): PortableRequest {
  const dynamic = createDynamicValues(sources);
  const counts = new Map<string, number>();
  const find = (expression: string, depth: number): string | null => {
    if (expression.startsWith('$')) {
      const count = counts.get(expression) ?? 0;
      counts.set(expression, count + 1);
      return dynamic.get(expression, count);
    }
    if (expression.startsWith('%')) {
      const value = find(expression.slice(1), depth);
      return value === null ? null : encodeForUrl(value);
    }
    if (!Object.hasOwn(values, expression) || depth > maxDepth) return null;
    return mapExpressions(values[expression]!, (name) => find(name, depth + 1) ?? `{{${name}}}`);
  };
  return mapRequest(request, (expression) => find(expression, 0) ?? `{{${expression}}}`);
}

function findProduct({ headers }: PortableRequest): string {
  for (const [, value] of headers) {
    const product = /\{\{token\.([a-z]+)\}\}/.exec(value)?.[1];
    if (product !== undefined) return product;
  }
  return '';
}

function readReference({ body }: PortableRequest): string | null {
  if (body === null || !('text' in body)) return null;
  try {
    const marked = markVariables(body.text);
    const fields = findSignedFields(marked.text);
    return fields.kinds[0] === JSON_STRING ? marked.restore(fields.valueOf(0)) : null;
  } catch {
    // No JSON: it has no reference to look up by.
    return null;
  }
}
