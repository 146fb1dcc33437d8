import type { JsonNode } from '@shared/json/json-tree';
import type { RuleRequest } from '@shared/webhooks/rules/answer-rules';
import type { RuleAnswers } from '@shared/webhooks/rules/rule-answers';
import { readPayload, readWebhookHead } from './read-webhook';
import type { UsualAnswer, ChosenAnswer, WebhookRequest } from './webhook-server';

/** What every webhook is answered with that no rule fits. */
export function answerAsUsual(usual: UsualAnswer): ChosenAnswer {
  return { ...usual, rule: null, headers: [], body: '', isDropped: false };
}

/** Chooses what a webhook is answered with: by the first rule that fits, else as the address answers everything. */
export function chooseAnswer(
  { usual, rules }: { usual: ChosenAnswer; rules: RuleAnswers },
  request: WebhookRequest,
): ChosenAnswer {
  // Most addresses have no rules: nothing is read for them.
  if (rules.isEmpty) return usual;
  const ruled = rules.answer(toRuleRequest(request));
  if (ruled === null) return usual;
  const { rule: name, answer } = ruled;
  if (answer === null) return { ...usual, rule: name };
  const { status, headers, body, delayMs, isDropped } = answer;
  return { respondStatus: status, delayMs, rule: name, headers: headers.flat(), body, isDropped };
}

/** Shows a webhook to rules. Head and body are read once, when a rule first asks for them: rules may ask thousands of times. */
export function toRuleRequest({ method, path, head, body }: WebhookRequest): RuleRequest {
  let headers: Map<string, string[]> | null = null;
  let tree: JsonNode | null | undefined;
  return {
    method,
    path,
    headers: (name) => (headers ??= readHeaders(head)).get(name) ?? [],
    body: () => (tree === undefined ? (tree = readPayload(body)) : tree),
  };
}

/** All values of each header, by its name in lower case. */
function readHeaders(head: Buffer): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [written, value] of readWebhookHead(head).headers) {
    const name = written.toLowerCase();
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}
