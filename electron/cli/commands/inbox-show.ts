import { describeExportedWebhook } from '@shared/webhooks/export/webhook-export';
import type { MethodOutput } from '@shared/contract/contract';
import type { Replay, WebhookSummary } from '@shared/contract/inbox';
import { checkWebhookFields } from '@shared/webhooks/check-webhook-fields';
import { toPlainLine } from '@shared/plain-text';
import { defineCommand } from '../command';
import { describeWebhook } from '../describe-webhook';
import { readRules } from '../follow-rules';
import { readWebhookKeys, secretOption } from '../webhook-keys';
import { dataOption, storeNotes, storeOption, withInbox } from '../stored-webhooks';

function describeReplay({ sentAt, httpStatus, elapsedMs, isEdited, isResigned, ...rest }: Replay): object {
  return {
    sent_at: new Date(sentAt).toISOString(),
    http_status: httpStatus,
    elapsed_ms: elapsedMs,
    is_edited: isEdited,
    is_resigned: isResigned,
    ...rest,
  };
}

function describeAnswered({
  exchangeId,
  title,
  operation,
  sentAt,
}: NonNullable<WebhookSummary['answers']>): object {
  return { exchange_id: exchangeId, title, operation, sent_at: new Date(sentAt).toISOString() };
}

type Tried = MethodOutput<'listener.tryRules'>;

function describeAnswer(answer: Tried['answer']): object {
  if (answer === null) return {};
  const { status, headers, body, delayMs, isDropped } = answer;
  return { http_status: status, headers, body, delay_ms: delayMs, is_dropped: isDropped };
}

function sayAnswer({ rule, answer }: Tried): string {
  if (rule === null || answer === null)
    return 'Of these rules none would answer it: the usual answer stands.';
  const what = answer.isDropped
    ? 'the connection is closed'
    : `HTTP ${answer.status} ${answer.body}`.trimEnd();
  return toPlainLine(`The rule ${rule} would answer it: ${what}`);
}

type Explained = MethodOutput<'inbox.explainSignature'>;

const HOW_TO_EXPLAIN =
  'Give the secret of the webhook, --secret KEY or COUNTERSIGN_WEBHOOK_SECRET, to learn what its sender did otherwise.';

const describeExplained = ({ keyIndex, ...rest }: Explained): object => ({ ...rest, secret_index: keyIndex });

/** Signed, and not found valid when it came: worth another look. */
const isDoubtful = ({ verdict }: Pick<WebhookSummary, 'verdict'>): boolean =>
  verdict === 'invalid' || verdict === 'unchecked' || verdict === null;

function sayExplained({ verdict, reason, keyIndex }: Explained, keyCount: number): string {
  const several =
    keyIndex === null
      ? `By the ${keyCount} secrets that were given`
      : `By secret ${keyIndex + 1} of ${keyCount}`;
  const by = keyCount === 1 ? 'By the secret that was given' : several;
  return `${by}: ${verdict}${reason === null ? '' : `. ${reason}`}`;
}

export const command = defineCommand({
  usage: 'inbox show ID [--secret KEY]… [--rules FILE] [--data DIR|--store URL]',
  summary: 'Show one webhook as it was received: head and body.',
  notes: [
    'On stderr: how it was answered and by which rule, its signature, its attempt, the request that it answers,',
    'what is odd about the moment at which it came, and where its body is not as the schema says (assumption A3).',
    'With --secret or COUNTERSIGN_WEBHOOK_SECRET, a signature that was not found valid is judged by it, and where none fits its sender’s',
    'mistake is searched for, as `webhook verify` does: `signature_explained` in the JSON.',
    'With --rules, what those rules would answer it, before they are used: `would_answer` in the JSON.',
    ...storeNotes,
  ],
  options: {
    data: dataOption,
    store: storeOption,
    secret: secretOption,
    rules: { placeholder: 'FILE', help: 'Tell what these answer rules would answer it' },
  },
  positionals: [{ name: 'ID', isRequired: true, help: 'As `inbox list` tells it' }],
  async run(context, values, [id = '']) {
    const text = values.rules === undefined ? null : readRules(values.rules);
    const webhookKeys = readWebhookKeys(context, values.secret);
    const { webhook, replays, environments, tried, explained } = await withInbox(
      values,
      async ({ router: { call } }) => {
        const shown = await call('inbox.get', { id, isWhole: true });
        const isAsked = webhookKeys.length > 0 && isDoubtful(shown);
        return {
          ...(await call('environments.list', {})),
          webhook: shown,
          ...(await call('inbox.replays', { id })),
          tried: text === null ? null : await call('listener.tryRules', { text, webhookId: id }),
          explained: isAsked ? await call('inbox.explainSignature', { id }) : null,
        };
      },
      { webhookKeys },
    );
    // A body that was kept cut is no JSON any more, whatever it was.
    const states = environments.flatMap(({ setup }) => Object.keys(setup.profile.webhookStates));
    const problems = webhook.isKeptCut ? [] : checkWebhookFields(webhook.body, states);
    if (context.isJson) {
      const schema = problems.map(({ pointer, kind, message }) => ({ pointer, problem: kind, message }));
      const { remarks, earlierAttempts, answers, answersOneOf } = webhook;
      context.printJson({
        ...describeExportedWebhook(webhook),
        earlier_attempts: earlierAttempts,
        answers: answers === null ? null : describeAnswered(answers),
        ...(answersOneOf === undefined ? {} : { answers_one_of: answersOneOf }),
        ...(explained === null ? {} : { signature_explained: describeExplained(explained) }),
        remarks,
        schema,
        replays: replays.map(describeReplay),
        ...(tried === null ? {} : { would_answer: { rule: tried.rule, ...describeAnswer(tried.answer) } }),
      });
      return 0;
    }
    for (const line of describeWebhook(webhook)) context.say(line);
    if (explained !== null && explained.verdict !== 'unsigned')
      context.say(toPlainLine(sayExplained(explained, webhookKeys.length)));
    else if (webhookKeys.length === 0 && webhook.verdict === 'invalid') context.say(HOW_TO_EXPLAIN);
    for (const { text } of webhook.remarks) context.say(text);
    for (const { message } of problems) context.say(`Schema: ${toPlainLine(message)}`);
    if (tried !== null) context.say(sayAnswer(tried));
    context.print(toPlainLine(`${webhook.method} ${webhook.path}`));
    for (const [name, value] of webhook.headers) context.print(toPlainLine(`${name}: ${value}`));
    context.print('');
    context.print(webhook.body);
    return 0;
  },
});
