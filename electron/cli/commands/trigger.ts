import { randomUUID } from 'node:crypto';
import type { Exchange } from '@shared/contract/sending';
import { readJsonTree } from '@shared/json/json-tree';
import { parseWebUrl } from '@shared/payments/text-formats';
import {
  editTestPayload,
  planTestWebhooks,
  requireObject,
  scenarioForms,
  writeTestPayload,
  type TestWebhookFields,
} from '@shared/webhooks/test-webhook';
import { defineCommand, type CommandContext } from '../command';
import { isGood, requireAnswer } from '../finish-exchange';
import { decodeText } from '../read-input';
import { withSession, serviceOptions, type Session } from '../session';
import { usageError } from '../usage-error';

function checkLiteral(flag: string, text: string | undefined, kind: 'number' | 'object'): void {
  if (text === undefined || readJsonTree(text)?.kind === kind) return;
  throw usageError(`${flag} takes a JSON ${kind}, not '${text.slice(0, 60)}'.`);
}

/** Webhooks of a burst that are asked for at a time. */
const MOST_AT_ONCE = 20;
const MOST_BODY_BYTES = 1_000_000;

const named = [
  'status',
  'code',
  'amount',
  'client-reference',
  'payment-uuid',
  'payment-reference',
  'metadata',
] as const;
type NamedValues = Readonly<Record<(typeof named)[number], string | undefined>>;

/** The options as members of the webhook, in the order of the interface. */
function readFields(values: NamedValues): TestWebhookFields {
  return Object.fromEntries(named.map((name) => [name.replaceAll('-', '_'), values[name]]));
}

/** A body of a file is taken as it is; options that were given beside it go into it. */
async function readPayload(
  context: CommandContext,
  file: string | undefined,
  values: NamedValues,
): Promise<string> {
  if (file === undefined)
    return writeTestPayload({ ...readFields(values), status: values.status ?? 'SUCCESS' });
  const text = decodeText(await context.readInput(file, '--body', { maxBytes: MOST_BODY_BYTES }), '--body');
  requireObject(text);
  const set = Object.entries(readFields(values)).flatMap(([name, value]: [string, string | undefined]) => {
    if (value === undefined) return [];
    return [`${name}=${name === 'amount' || name === 'metadata' ? value : JSON.stringify(value)}`];
  });
  return editTestPayload(text, { set });
}

async function sendAll(
  webhooks: ReturnType<typeof planTestWebhooks>,
  { environment, call }: Session,
  common: { callbackUrl: string; isExact: boolean },
): Promise<Exchange[]> {
  const sent: Exchange[] = [];
  for (let at = 0; at < webhooks.length; at += MOST_AT_ONCE) {
    const some = webhooks.slice(at, at + MOST_AT_ONCE);
    const ask = (one: (typeof some)[number]) =>
      call('webhooks.sendTest', { environment: environment.id, ...common, ...one });
    sent.push(...(await Promise.all(some.map(ask))));
  }
  return sent;
}

export const command = defineCommand({
  usage:
    'trigger --callback-url URL [--status SUCCESS] [--body FILE] [--set a.b=1]… [--scenario NAME] … (--env NAME | --base-url URL)',
  summary: 'Have the service send a test webhook to a URL.',
  notes: [
    `Scenarios: ${scenarioForms}. out-of-order sends the status that was given, and then ACCEPTED.`,
    '--set, --unset and --body make the body of the webhook. A sandbox sends it just so; a service takes of it what its simulator knows, and knows no scenario but burst.',
  ],
  options: {
    ...serviceOptions,
    'callback-url': { placeholder: 'URL', help: 'Receiver of the webhook', isRequired: true },
    status: {
      placeholder: 'TEXT',
      mayBeEmpty: true,
      help: 'Status in the webhook; SUCCESS where left out',
    },
    code: { placeholder: 'C', help: 'Code in the webhook' },
    amount: { placeholder: 'A', help: 'Amount, a JSON number, sent as written' },
    'client-reference': { placeholder: 'R', help: 'Your reference' },
    'payment-uuid': { placeholder: 'U', help: 'Payment UUID' },
    'payment-reference': { placeholder: 'P', help: "The service's reference" },
    metadata: { placeholder: 'JSON', help: 'Metadata, a JSON object, sent as written' },
    body: {
      placeholder: 'FILE',
      help: 'Body of the webhook, a JSON object; - for standard input',
    },
    set: {
      placeholder: 'a.b=VALUE',
      help: 'Member of the body, JSON or else text',
      isList: true,
    },
    unset: { placeholder: 'a.b', help: 'Member that the body is to lack', isList: true },
    scenario: { placeholder: 'NAME', help: 'duplicate, late, out-of-order or burst:50' },
  },
  async run(context, values) {
    if (parseWebUrl(values['callback-url']) === null)
      throw usageError('--callback-url takes an absolute http or https URL.');
    checkLiteral('--amount', values.amount, 'number');
    checkLiteral('--metadata', values.metadata, 'object');
    const { set, unset } = values;
    const payload = editTestPayload(await readPayload(context, values.body, values), { set, unset });
    const webhooks = planTestWebhooks(
      payload,
      values.scenario ?? null,
      () => `burst-${randomUUID().slice(0, 8)}`,
    );
    const isExact = values.body !== undefined || set.length + unset.length > 0;
    const callbackUrl = values['callback-url'];
    const sent = await withSession(context, values, (session) =>
      sendAll(webhooks, session, { callbackUrl, isExact }),
    );
    const readings = sent.map((exchange) => {
      const { response, reading } = requireAnswer(exchange);
      if (context.isJson) context.printJson({ http_status: response.httpStatus, body: response.body });
      else context.print(`${response.httpStatus} ${response.body === '' ? reading.title : response.body}`);
      return reading;
    });
    return readings.every(isGood) ? 0 : 1;
  },
});
