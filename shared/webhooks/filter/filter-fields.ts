/** What a value of a field is compared as. */
export type FieldKind = 'text' | 'number' | 'instant' | 'age' | 'choice';

/** Verdicts on the signature of a webhook; `unchecked`: it is signed, and no secret is known to check it by. */
export const webhookVerdicts = ['valid', 'invalid', 'unsigned', 'unchecked'] as const;
export type WebhookVerdict = (typeof webhookVerdicts)[number];

interface FilterField {
  readonly kind: FieldKind;
  readonly help: string;
  readonly choices?: readonly string[];
}

/** Fields of a webhook that a filter may name, besides those of its body and its headers. */
export const filterFields = {
  status: { kind: 'text', help: 'status in the payload' },
  reference: { kind: 'text', help: 'your reference in the payload' },
  path: { kind: 'text', help: 'path as sent; without its query where the value has none' },
  method: { kind: 'text', help: 'HTTP method' },
  verdict: { kind: 'choice', help: 'verdict on its signature', choices: webhookVerdicts },
  rule: { kind: 'text', help: 'name of the rule that answered' },
  amount: { kind: 'number', help: 'amount in the payload' },
  code: { kind: 'text', help: 'code in the payload' },
  payment_uuid: { kind: 'text', help: 'payment UUID in the payload' },
  payment_reference: { kind: 'text', help: "the service's reference in the payload" },
  webhook_id: { kind: 'text', help: 'header webhook-id' },
  content_type: { kind: 'text', help: 'header content-type' },
  http_status: { kind: 'number', help: 'HTTP status that it was answered with' },
  size: { kind: 'number', help: 'bytes of its body' },
  tag: { kind: 'text', help: 'one of its tags' },
  note: { kind: 'text', help: 'its note' },
  received_at: { kind: 'instant', help: 'when it came, as 2026-03-01 or 2026-03-01T12:00:00Z' },
  age: { kind: 'age', help: 'how long ago it came, as 30s, 10m, 2h or 7d' },
} as const satisfies Readonly<Record<string, FilterField>>;

export type FilterFieldName = keyof typeof filterFields;

/** Words that are a whole condition. */
export const filterWords = ['all', 'unread', 'failed', 'pinned'] as const;
export type FilterWord = (typeof filterWords)[number];

export const filterOperators = ['==', '!=', '<=', '>=', '<', '>', 'contains'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** What a condition looks at: a field, a value of the body, a header. */
export type FilterTarget =
  | { readonly of: 'field'; readonly name: FilterFieldName }
  | { readonly of: 'body'; readonly path: readonly string[] }
  | { readonly of: 'header'; readonly name: string };

/** A filter as it is evaluated. */
export type Filter =
  | { readonly is: 'word'; readonly word: FilterWord }
  | {
      readonly is: 'condition';
      readonly target: FilterTarget;
      readonly operator: FilterOperator;
      /** As written, without quotes. */
      readonly value: string;
      /** Quoted values are compared as text alone. */
      readonly isQuoted: boolean;
    }
  | { readonly is: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly is: 'not'; readonly inner: Filter };
