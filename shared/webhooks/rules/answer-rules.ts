import type { JsonNode } from '../../json/json-tree';

/** What a webhook must look like for a rule to answer it; what is left out is not looked at. */
export interface RuleConditions {
  readonly method?: string;
  /** The whole path, without its query, encoded as it travels. */
  readonly path?: string;
  /** By name in lower case. */
  readonly header: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Steps of a JSON pointer, and what must stand there. */
  readonly body: readonly { readonly steps: readonly string[]; readonly value: JsonNode }[];
}

/** An answer as a rule gives it; texts may hold templates. */
export interface RuleAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Text as it is, or JSON whose texts are filled one by one, so that it stays JSON. */
  readonly body: string | JsonNode;
  readonly delayMs: number;
  /** The connection is closed instead. */
  readonly isDropped: boolean;
}

export interface AnswerRule {
  readonly name: string;
  readonly when: RuleConditions;
  /** So many of the first are answered 500; webhooks with one webhook-id are counted together. */
  readonly failFirst: number;
  /** One after the other, the last again and again. Empty: as without a rule. */
  readonly answers: readonly RuleAnswer[];
  /** As written, to tell whether a rule was changed. */
  readonly source: string;
}

/** A webhook as rules look at it. Body and headers are read where a rule asks for them. */
export interface RuleRequest {
  readonly method: string;
  /** With its query, as sent. */
  readonly path: string;
  headers(name: string): readonly string[];
  /** Null: it is not JSON. */
  body(): JsonNode | null;
}

/** What a webhook is answered with by a rule. */
export interface RuledAnswer {
  readonly rule: string;
  /** Null: as without a rule. */
  readonly answer: (RuleAnswer & { readonly body: string }) | null;
}
