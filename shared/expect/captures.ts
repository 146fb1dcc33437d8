import { findHeader } from '../find-header';
import type { JsonNode } from '../json/json-tree';
import type { HeaderList } from '../contract/common';
import { isCredentialHeader, isSecretName } from '../secrets';
import type { Comparison, Expectation, ExpectationFault, JsonPath } from './expectation';
import { findNode, isOfSeveral, noPathFault, ofSeveralFault, readJsonPath } from './json-path';
import { writeJson } from './write-json';

/** `# @capture NAME = body PATH | header NAME | webhook PATH`. */
export interface Capture {
  readonly name: string;
  readonly source:
    | { readonly kind: 'body' | 'webhook'; readonly path: JsonPath }
    | { readonly kind: 'header'; readonly header: string };
}

/** Reads what stands behind `# @capture`. */
export function readCapture(text: string): { capture: Capture } | { fault: ExpectationFault } {
  const found = /^([A-Za-z_][\w.-]*)\s*=\s*(\S+)(?:\s+(\S+))?\s*(.*)/s.exec(text.trim());
  const fault = (message: string): { fault: ExpectationFault } => ({
    fault: { message, start: 0, end: Math.max(1, text.length) },
  });
  if (found === null)
    return fault("Write 'NAME = body PATH', 'NAME = header NAME' or 'NAME = webhook PATH'.");
  const [, name = '', kind = '', place = '', more = ''] = found;
  if (kind !== 'body' && kind !== 'header' && kind !== 'webhook') {
    return fault(`There is nothing to capture from '${kind.slice(0, 30)}': use body, header or webhook.`);
  }
  if (place === '') return fault(`Say which part of the ${kind} is meant.`);
  if (more !== '') return fault(`“${more.slice(0, 40)}” is one word too many.`);
  if (kind === 'header') return { capture: { name, source: { kind, header: place } } };
  const path = readJsonPath(place);
  if (path === null) return fault(noPathFault(place));
  if (isOfSeveral(path)) return fault(ofSeveralFault);
  return { capture: { name, source: { kind, path } } };
}

const exists: Comparison = { operator: 'exists', isNegated: false };

/**
 * Says what a capture expects: that there is something to capture.
 *
 * @param windowMs - so long a webhook that brings it is waited for
 */
export function expectCaptured({ source }: Capture, windowMs: number): Expectation {
  if (source.kind === 'header') return { kind: 'header', name: source.header, comparison: exists };
  const { path } = source;
  if (source.kind === 'body') return { kind: 'body', path, comparison: exists };
  const conditions = [{ subject: path, comparison: exists }];
  return { kind: 'webhook', withinMs: windowMs, count: null, conditions };
}

/** Tells by its name, or by that of what it takes, whether a capture's value is a secret. */
export function isSecretCapture({ name, source }: Capture): boolean {
  const field = source.kind === 'header' ? source.header : (source.path.keys.at(-1) ?? '');
  return isSecretName(name) || isSecretName(field) || isCredentialHeader(field);
}

/** Where captures are taken from. */
export interface CaptureSources {
  readonly headers: HeaderList;
  readonly body: JsonNode | null;
  /** Bodies of the webhooks that came, in order. */
  readonly webhooks: readonly (JsonNode | null)[];
}

/**
 * Takes a value as text: a string without its quotes, a number as its literal, anything else as JSON.
 *
 * @returns null: it is not there
 */
export function takeCapture({ source }: Capture, { headers, body, webhooks }: CaptureSources): string | null {
  if (source.kind === 'header') return findHeader(headers, source.header.toLowerCase());
  const trees = source.kind === 'body' ? [body] : webhooks;
  const node = trees.map((tree) => findNode(tree, source.path)).find((one) => one !== null) ?? null;
  if (node === null) return null;
  return node.kind === 'string' ? node.text : writeJson(node);
}
