import { readJsonTree } from '@shared/json/json-tree';
import { defineCommand } from '../command';
import { isGood, requireAnswer } from '../finish-exchange';
import { withSession, serviceOptions } from '../session';
import { usageError } from '../usage-error';

function checkLiteral(flag: string, text: string | undefined, kind: 'number' | 'object'): void {
  if (text === undefined || readJsonTree(text)?.kind === kind) return;
  throw usageError(`${flag} takes a JSON ${kind}, not '${text.slice(0, 60)}'.`);
}

export const command = defineCommand({
  usage: 'trigger --callback-url URL [--status SUCCESS] [--amount A] … (--env NAME | --base-url URL)',
  summary: 'Have the service send a test webhook to a URL.',
  options: {
    ...serviceOptions,
    'callback-url': { type: 'text', placeholder: 'URL', help: 'Receiver of the webhook', isRequired: true },
    status: {
      type: 'text',
      placeholder: 'TEXT',
      mayBeEmpty: true,
      help: 'Status in the webhook',
      fallback: 'SUCCESS',
    },
    code: { type: 'text', placeholder: 'C', help: 'Code in the webhook' },
    amount: { type: 'text', placeholder: 'A', help: 'Amount, a JSON number, sent as written' },
    'client-reference': { type: 'text', placeholder: 'R', help: 'Your reference' },
    'payment-uuid': { type: 'text', placeholder: 'U', help: 'Payment UUID' },
    'payment-reference': { type: 'text', placeholder: 'P', help: "The service's reference" },
    metadata: { type: 'text', placeholder: 'JSON', help: 'Metadata, a JSON object, sent as written' },
  },
  async run(context, values) {
    if (!URL.canParse(values['callback-url'])) throw usageError('--callback-url takes an absolute URL.');
    checkLiteral('--amount', values.amount, 'number');
    checkLiteral('--metadata', values.metadata, 'object');
    const exchange = await withSession(context, values, ({ environment, call }) =>
      call('webhooks.sendTest', {
        environment: environment.id,
        callbackUrl: values['callback-url'],
        status: values.status,
        code: values.code,
        amount: values.amount,
        clientReference: values['client-reference'],
        paymentUuid: values['payment-uuid'],
        paymentReference: values['payment-reference'],
        metadata: values.metadata,
      }),
    );
    const { response, reading } = requireAnswer(exchange);
    if (context.isJson) context.printJson({ http_status: response.httpStatus, body: response.body });
    else context.print(`${response.httpStatus} ${response.body}`);
    return isGood(reading) ? 0 : 1;
  },
});
