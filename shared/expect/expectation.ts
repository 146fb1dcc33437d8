import type { OperationName } from '../payments/tables/operations';

/** A value as it was typed: quoted, it is text and nothing else. `{{variables}}` in it are still to be filled in. */
export interface ExpectedValue {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** What a value may be said to be. */
export const valueKinds = [
  'number',
  'string',
  'null',
  'boolean',
  'array',
  'object',
  'uuid',
  'iso-date',
] as const;
export type ValueKind = (typeof valueKinds)[number];

/** How a value is compared. `isNegated`: `not` stood before the operator. */
export type Comparison = { readonly isNegated: boolean } & (
  | {
      readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'matches';
      readonly value: ExpectedValue;
    }
  | { readonly operator: 'in'; readonly values: readonly ExpectedValue[] }
  | { readonly operator: 'exists' }
  | { readonly operator: 'is'; readonly valueKind: ValueKind }
);

/** Where a value stands in a JSON text: as typed, and its keys. Null: the whole text. */
export interface JsonPath {
  readonly typed: string;
  readonly keys: readonly string[];
}

/** What a webhook has to hold besides having come. */
export interface WebhookCondition {
  readonly subject: 'status' | JsonPath;
  readonly comparison: Comparison;
}

/** What a `# @expect` line asks for. */
export type Expectation =
  | { readonly kind: 'status'; readonly comparison: Comparison }
  | { readonly kind: 'header'; readonly name: string; readonly comparison: Comparison }
  | { readonly kind: 'body'; readonly path: JsonPath | null; readonly comparison: Comparison }
  | { readonly kind: 'time'; readonly operator: '<' | '<=' | '>' | '>='; readonly limitMs: number }
  | { readonly kind: 'schema'; readonly operation: OperationName }
  | { readonly kind: 'signature' }
  | {
      readonly kind: 'webhook';
      readonly withinMs: number;
      /** How many must fit; null: one or more. */
      readonly count: Comparison | null;
      readonly conditions: readonly WebhookCondition[];
    }
  | { readonly kind: 'no_webhook'; readonly forMs: number }
  | { readonly kind: 'state'; readonly withinMs: number; readonly comparison: Comparison }
  | { readonly kind: 'balance'; readonly change: string; readonly withinMs: number }
  | { readonly kind: 'same'; readonly example: string; readonly ignoring: readonly JsonPath[] };

/** What is wrong with a line: in one sentence, and the part of the text that it is about. */
export interface ExpectationFault {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Kinds whose outcome is known with the answer; the others wait for something. */
const immediate: ReadonlySet<Expectation['kind']> = new Set([
  'status',
  'header',
  'body',
  'time',
  'schema',
  'signature',
  'same',
]);

/** Tells whether an expectation is judged by the answer alone. */
export function isImmediate({ kind }: Expectation): boolean {
  return immediate.has(kind);
}
