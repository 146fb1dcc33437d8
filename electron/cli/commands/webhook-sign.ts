import { randomUUID } from 'node:crypto';
import { signWebhook } from '../../platform/crypto/standard-webhooks';
import { defineCommand } from '../command';
import { usageError } from '../usage-error';
import { requireWebhookKeys, secretOption } from '../webhook-keys';

/** Twelve digits, as receivers of ours read them; milliseconds have had thirteen since 2001. */
const MOST_SECONDS = 999_999_999_999;

export const command = defineCommand({
  usage: 'webhook sign --body FILE [--id ID] [--timestamp SECONDS] [--secret KEY]…',
  summary: 'Sign a webhook as Standard Webhooks says: prints the three headers.',
  notes: [
    'Several secrets give several signatures, as while they are rotated. The body is signed byte for byte.',
  ],
  options: {
    body: {
      placeholder: 'FILE',
      help: 'Body of the webhook, - for standard input',
      isRequired: true,
    },
    id: { placeholder: 'ID', help: 'Its webhook-id; made where left out' },
    timestamp: { type: 'integer', placeholder: 'SECONDS', help: 'Since 1970; now where left out' },
    secret: secretOption,
  },
  async run(context, values) {
    const keys = requireWebhookKeys(context, values.secret);
    const { id = `msg_${randomUUID().replaceAll('-', '')}` } = values;
    if (!/^[\x21-\x7e]{1,256}$/.test(id) || id.includes('.')) {
      throw usageError('--id takes up to 256 letters, digits and signs without blanks and dots.');
    }
    if (values.timestamp !== undefined && values.timestamp > MOST_SECONDS) {
      throw usageError(`--timestamp takes seconds since 1970; ${values.timestamp} looks like milliseconds.`);
    }
    const timestamp = String(values.timestamp ?? Math.floor(Date.now() / 1000));
    const body = await context.readInput(values.body, '--body', { maxBytes: 64 * 1024 * 1024 });
    const signature = signWebhook(keys, { id, timestamp, body });
    const headers: [string, string][] = [
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', signature],
    ];
    if (context.isJson) context.printJson({ id, timestamp, signature, headers });
    else for (const [name, value] of headers) context.print(`${name}: ${value}`);
    return 0;
  },
});
