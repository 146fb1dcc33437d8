import { readJsonTree } from '@shared/payments/json-tree';
import { defineCommand } from '../command';
import { openSession, serviceOptions } from '../session';
import { usageError } from '../usage-error';

function quoteMember(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`];
}

/** A value that goes out as written: numbers keep their literal. */
function literalMember(
  flag: string,
  name: string,
  text: string | undefined,
  kind: 'number' | 'object',
): string[] {
  if (text === undefined) return [];
  if (readJsonTree(text)?.kind !== kind) {
    throw usageError(`${flag} takes a JSON ${kind}, not '${text.slice(0, 60)}'.`);
  }
  return [`${JSON.stringify(name)}:${text.trim()}`];
}

export const command = defineCommand({
  usage: 'trigger --callback-url URL [--status SUCCESS] [--amount A] … (--env NAME | --base-url URL)',
  summary: 'Have the service send a test webhook to a URL.',
  options: {
    ...serviceOptions,
    'callback-url': { type: 'text', placeholder: 'URL', help: 'Receiver of the webhook', isRequired: true },
    status: { type: 'text', placeholder: 'TEXT', help: 'Status in the webhook', fallback: 'SUCCESS' },
    code: { type: 'text', placeholder: 'C', help: 'Code in the webhook' },
    amount: { type: 'text', placeholder: 'A', help: 'Amount, a JSON number, sent as written' },
    'client-reference': { type: 'text', placeholder: 'R', help: 'Your reference' },
    'payment-uuid': { type: 'text', placeholder: 'U', help: 'Payment UUID' },
    'payment-reference': { type: 'text', placeholder: 'P', help: "The service's reference" },
    metadata: { type: 'text', placeholder: 'JSON', help: 'Metadata, a JSON object, sent as written' },
  },
  async run(context, values) {
    if (!URL.canParse(values['callback-url'])) throw usageError('--callback-url takes an absolute URL.');
    const members = [
      ...quoteMember('callback_url', values['callback-url']),
      ...quoteMember('status', values.status),
      ...quoteMember('code', values.code),
      ...literalMember('--amount', 'amount', values.amount, 'number'),
      ...quoteMember('client_reference', values['client-reference']),
      ...quoteMember('payment_uuid', values['payment-uuid']),
      ...quoteMember('payment_reference', values['payment-reference']),
      ...literalMember('--metadata', 'metadata', values.metadata, 'object'),
    ];
    const session = await openSession(context, values);
    const answer = await session.ports.http({
      method: 'POST',
      url: `${session.environment.baseUrl}/developer-tools/webhooks/send-test`,
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
      ],
      body: Buffer.from(`{${members.join(',')}}`),
      timeoutMs: session.timeoutMs,
    });
    session.close();
    const body = new TextDecoder().decode(answer.body);
    if (context.isJson) context.printJson({ http_status: answer.httpStatus, body });
    else context.print(`${answer.httpStatus} ${body}`);
    return answer.httpStatus >= 200 && answer.httpStatus < 300 ? 0 : 1;
  },
});
