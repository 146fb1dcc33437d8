import type { MethodOutput } from '@shared/contract/contract';
import { maskHeader, maskSecrets } from '@shared/mask-secrets';
import { maskSecret } from '@shared/secrets';
import { parseRules } from '@shared/webhooks/rules/parse-rules';
import { RuleAnswers } from '@shared/webhooks/rules/rule-answers';
import { toRuleRequest } from '../../listener/choose-answer';
import { decodeBody, readWebhookHead } from '../../listener/read-webhook';
import { listOwnSecrets } from '../../platform/own-secrets';
import { listUsable } from '../running/run-facts';
import type { ReceivedBytes } from './replay-webhook';

/** What trying rules is to the thread for long webhooks. */
export type RulesWork = {
  tryRules(given: { text: string; head: Uint8Array; body: Uint8Array }): MethodOutput<'listener.tryRules'>;
};

/** Bytes cross between threads as plain arrays. */
export const tryRulesOn: RulesWork['tryRules'] = ({ text, head, body }) =>
  tryRules(text, { head: toBuffer(head), body: toBuffer(body) });

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * Tells what rules would answer a stored webhook.
 *
 * It is for screens and logs: a template may take a credential of the webhook to where its name does not tell what it is,
 * so that every value that is secret in the webhook is masked in the answer, too.
 * @throws {AppError} `listener.bad_rules`
 */
export function tryRules(text: string, { head, body }: ReceivedBytes): MethodOutput<'listener.tryRules'> {
  const { method, path, headers: received } = readWebhookHead(head);
  const ruled = new RuleAnswers(parseRules(text)).answer(toRuleRequest({ method, path, head, body }));
  if (ruled === null || ruled.answer === null) return { rule: ruled?.rule ?? null, answer: null };
  const secrets = listUsable(listOwnSecrets({ url: path, headers: received, body: decodeBody(body) }));
  const hide = (shown: string): string =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, () => maskSecret(secret)), shown);
  const { answer, rule } = ruled;
  const headers = answer.headers.map(([name, value]): [string, string] => [
    name,
    hide(maskHeader(name, value)),
  ]);
  return { rule, answer: { ...answer, headers, body: hide(maskSecrets(answer.body)) } };
}
