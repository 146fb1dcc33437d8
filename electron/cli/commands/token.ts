import { readTimeClaim } from '../../services/tokens/decode-jwt';
import { products, type Product } from '@shared/payments/tables/products';
import { defineCommand } from '../command';
import { withSession, serviceNotes, serviceOptions } from '../session';

export const command = defineCommand({
  usage: 'token --product payout|remittance|collection (--env NAME | --base-url URL)',
  summary: 'Get an access token of one product: prints the token.',
  notes: serviceNotes,
  options: {
    ...serviceOptions,
    product: {
      placeholder: 'P',
      help: 'Product that the token is for',
      choices: products,
      isRequired: true,
    },
    force: { type: 'flag', help: 'Fetch a new one though the last is still good' },
  },
  async run(context, values) {
    const product = values.product as Product;
    const { token, claims, expiresAt } = await withSession(
      context,
      values,
      async ({ environment: { id }, call }) => {
        const of = { environment: id, product };
        const { claims, expiresAt } = await call('tokens.fetch', { ...of, isForced: values.force });
        return { ...(await call('tokens.reveal', of)), claims, expiresAt };
      },
    );
    // The service's own word for a token that says nothing of itself.
    const end = readTimeClaim(claims, 'exp') ?? expiresAt;
    if (context.isJson) {
      context.printJson({
        access_token: token,
        product,
        expires_at: end === null ? null : new Date(end).toISOString(),
      });
    } else context.print(token);
    return 0;
  },
});
