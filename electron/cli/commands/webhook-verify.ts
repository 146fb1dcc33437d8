import { readDuration, readInstant } from '@shared/webhooks/filter/read-moment';
import { judgeWebhook } from '../../platform/crypto/judge-webhook';
import { USUAL_TOLERANCE_SECONDS } from '../../platform/crypto/standard-webhooks';
import { defineCommand } from '../command';
import { usageError } from '../usage-error';
import { requireWebhookKeys, secretOption } from '../webhook-keys';

function readTolerance(text: string | undefined): number {
  if (text === undefined) return USUAL_TOLERANCE_SECONDS;
  const milliseconds = readDuration(text);
  if (milliseconds === null)
    throw usageError(`--tolerance takes a span of time such as 5m, not '${text.slice(0, 40)}'.`);
  return milliseconds / 1000;
}

function readAt(text: string | undefined): number {
  if (text === undefined) return Date.now();
  const at = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : readInstant(text);
  if (at === null)
    throw usageError(`--at takes seconds since 1970 or 2026-03-01T12:00:00Z, not '${text.slice(0, 40)}'.`);
  return at;
}

export const command = defineCommand({
  usage: 'webhook verify --body FILE --id ID --timestamp SECONDS --signature TEXT [--secret KEY]…',
  summary: 'Verify the signature of a webhook as Standard Webhooks says; exit code 1 where it is not valid.',
  notes: [
    'Where no signature fits, what its sender did otherwise is searched for: the secret, what is signed, the body, the hash, the encoding.',
  ],
  options: {
    body: {
      placeholder: 'FILE',
      help: 'Body as received, - for standard input',
      isRequired: true,
    },
    id: { placeholder: 'ID', help: 'Header webhook-id', isRequired: true },
    timestamp: { placeholder: 'SECONDS', help: 'Header webhook-timestamp', isRequired: true },
    signature: { placeholder: 'TEXT', help: 'Header webhook-signature', isRequired: true },
    secret: secretOption,
    tolerance: {
      placeholder: 'SPAN',
      help: 'Time between signature and arrival, 5m where left out',
    },
    at: {
      placeholder: 'TIME',
      help: 'When it came, seconds since 1970 or ISO 8601; now where left out',
    },
  },
  async run(context, values) {
    const keys = requireWebhookKeys(context, values.secret);
    const [atMs, tolerance] = [readAt(values.at), readTolerance(values.tolerance)];
    const headers: Record<string, string> = {
      'webhook-id': values.id,
      'webhook-timestamp': values.timestamp,
      'webhook-signature': values.signature,
    };
    const body = await context.readInput(values.body, '--body', { maxBytes: 64 * 1024 * 1024 });
    const header = (name: string): string | null => headers[name] ?? null;
    const { verdict, reason, keyIndex, causes } = judgeWebhook({ header, body }, keys, atMs, tolerance);
    const isValid = verdict === 'valid';
    if (context.isJson) {
      context.printJson({ valid: isValid, verdict, reason, secret_index: keyIndex, causes });
    } else context.print(isValid ? 'valid' : `not valid: ${reason}`);
    return isValid ? 0 : 1;
  },
});
