import { checkWebhookKeys } from '../platform/crypto/standard-webhooks';
import type { CommandContext } from './command';
import { usageError } from './usage-error';

const VARIABLE = 'COUNTERSIGN_WEBHOOK_SECRET';

/** Webhook secrets, several while they are rotated. */
export const secretOption = {
  placeholder: 'KEY',
  isList: true,
  help: `Webhook secret: whsec_…, or whpk_…/whsk_… for v1a; several while they are rotated; else ${VARIABLE}`,
} as const;

/** The secrets that were given, else those of the environment, parted by blanks. @throws {AppError} `signing.bad_webhook_key` */
export function readWebhookKeys(
  { environment }: Pick<CommandContext, 'environment'>,
  given: readonly string[],
): readonly string[] {
  const keys = given.length > 0 ? given : (environment[VARIABLE] ?? '').split(/\s+/).filter(Boolean);
  checkWebhookKeys(keys);
  return keys;
}

/** As {@link readWebhookKeys}, where nothing can be done without one. */
export function requireWebhookKeys(...asked: Parameters<typeof readWebhookKeys>): readonly string[] {
  const keys = readWebhookKeys(...asked);
  if (keys.length === 0) throw usageError(`--secret KEY is missing, and ${VARIABLE} is not set.`);
  return keys;
}
