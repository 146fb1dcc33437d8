import type { SafePattern } from '../regular-expression/compile-pattern';

/** A way into a JSON value: what JSONPath (RFC 9535) or a JSON Pointer (RFC 6901) asks for. */
export type PathQuery = readonly PathSegment[];

export interface PathSegment {
  /** Looks at everything below, too (`..`). */
  readonly isDescendant: boolean;
  readonly selectors: readonly PathSelector[];
}

export type PathSelector =
  | { readonly kind: 'name'; readonly name: string }
  /** A part of a JSON Pointer: a key, or a place in a list. */
  | { readonly kind: 'part'; readonly part: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | {
      readonly kind: 'slice';
      readonly start: number | null;
      readonly end: number | null;
      readonly step: number;
    }
  | { readonly kind: 'filter'; readonly test: PathTest };

export type PathTest =
  | { readonly kind: 'and' | 'or'; readonly left: PathTest; readonly right: PathTest }
  | { readonly kind: 'not'; readonly test: PathTest }
  | { readonly kind: 'exists'; readonly operand: PathOperand & { kind: 'query' } }
  | { readonly kind: 'matches'; readonly call: PathCall }
  | {
      readonly kind: 'compare';
      readonly left: PathOperand;
      readonly operator: PathOperator;
      readonly right: PathOperand;
    };

export type PathOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type PathOperand =
  /** Of the value that is tested (`@`), or of the whole (`$`). */
  | { readonly kind: 'query'; readonly isFromRoot: boolean; readonly query: PathQuery }
  | { readonly kind: 'string' | 'number' | 'word'; readonly text: string }
  | PathCall;

/** A function of JSONPath with as many arguments as it takes, of the sorts that it takes. */
export interface PathCall {
  readonly kind: 'call';
  readonly name: PathFunction;
  readonly given: readonly PathOperand[];
  /** Of `match` and `search`, where it is written in the query. */
  readonly pattern: SafePattern | null;
}

/**
 * What each function takes and gives.
 *
 * @source RFC 9535, 2.4
 */
export const PATH_FUNCTIONS = {
  length: { takes: ['value'], gives: 'value' },
  count: { takes: ['nodes'], gives: 'value' },
  match: { takes: ['value', 'value'], gives: 'truth' },
  search: { takes: ['value', 'value'], gives: 'truth' },
  value: { takes: ['nodes'], gives: 'value' },
} as const satisfies Record<string, { takes: readonly ('value' | 'nodes')[]; gives: 'value' | 'truth' }>;

export type PathFunction = keyof typeof PATH_FUNCTIONS;

/** Tells whether something is one value at most: a literal, a way without choices, or a function that gives one. */
export function isOneValue(operand: PathOperand): boolean {
  if (operand.kind === 'call') return PATH_FUNCTIONS[operand.name].gives === 'value';
  if (operand.kind !== 'query') return true;
  return operand.query.every(({ isDescendant, selectors: [only, ...others] }) => {
    return !isDescendant && others.length === 0 && (only?.kind === 'name' || only?.kind === 'index');
  });
}
