import { products } from '@shared/payments/tables/products';
import { memberOf, readJsonTree } from '@shared/json/json-tree';
import { defineCommand } from '../command';
import { isGood, requireAnswer } from '../finish-exchange';
import { printJsonLine } from '@shared/json/print-json-tree';
import { withSession, serviceNotes, serviceOptions } from '../session';

export const command = defineCommand({
  usage: 'balances --product P [--currency C] (--env NAME | --base-url URL)',
  summary: 'Show the wallets of one product; exit code 1 where there are none.',
  notes: serviceNotes,
  options: {
    ...serviceOptions,
    product: {
      type: 'text',
      placeholder: 'P',
      help: 'Product whose wallets are shown',
      choices: products,
      isRequired: true,
    },
    currency: { type: 'text', placeholder: 'C', help: 'One currency alone, such as KES' },
  },
  async run(context, values) {
    const { exchange, wallets } = await withSession(context, values, ({ environment, call }) =>
      call('balances.fetch', {
        environment: environment.id,
        product: values.product,
        currency: values.currency,
      }),
    );
    const { response, reading } = requireAnswer(exchange);
    if (context.isJson) {
      // The results stand as received: amounts keep the literals that the service wrote.
      const results = memberOf(readJsonTree(response.body), 'results');
      context.print(
        `{"http_status":${response.httpStatus},"results":${results === null ? 'null' : printJsonLine(results)}}`,
      );
    } else {
      for (const wallet of wallets) {
        context.print(
          `${wallet.currency}  available ${wallet.availableBalance}  actual ${wallet.actualBalance}  ${wallet.status}`,
        );
      }
      if (wallets.length === 0) context.say(`${response.httpStatus} ${reading.title}`);
    }
    return isGood(reading) ? 0 : 1;
  },
});
