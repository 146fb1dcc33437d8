import { showControls } from '@shared/show-controls';
import type { WebhookSummary } from '@shared/contract/inbox';
import { MOST_READ_BYTES } from '@shared/webhooks/read-limit';
import { formatMoney } from '@shared/payments/format-amount';
import { formatBytes, formatDuration } from '../../ui/format-time';
import type { Tone } from '../../ui/tag';

const operationNames: Record<string, string> = {
  remittance: 'Remittance',
  payout: 'Payout',
  collection: 'Collection',
  send_test: 'Test webhook',
};

/** As much of a webhook as its row shows. */
export type WebhookLine = Omit<WebhookSummary, 'id' | 'webhookId' | 'rule' | 'note'>;

/** True where no field of the payload could be read. */
export function isUnreadable(webhook: WebhookLine): boolean {
  return webhook.status === null && webhook.clientReference === null && webhook.paymentUuid === null;
}

/** First line of a row: what the webhook is about. */
export function titleOf(webhook: WebhookLine): string {
  if (webhook.sizeBytes === 0) return 'No body';
  if (isUnreadable(webhook)) {
    return `Not read: ${formatBytes(webhook.sizeBytes)}${webhook.contentType ? `, ${webhook.contentType.split(';')[0]}` : ''}`;
  }
  const name = webhook.answers ? (operationNames[webhook.answers.operation] ?? 'Webhook') : 'Webhook';
  return [name, formatMoney(webhook.answers?.currency, webhook.amount)].filter(Boolean).join(' ');
}

/** Second line of a row: whose webhook it is, then what was odd about it and what it answers, the shortest first. */
export function lineOf(webhook: WebhookLine): { about: string; told: string } {
  const told: string[] = [];
  if (!isGoodAnswer(webhook.respondedStatus)) told.push(`we answered ${webhook.respondedStatus}`);
  if (webhook.earlierAttempts > 0) told.push(`attempt ${webhook.earlierAttempts + 1}`);
  if (isUnreadable(webhook)) {
    if (webhook.sizeBytes > 0)
      told.push(
        webhook.sizeBytes > MOST_READ_BYTES
          ? 'over 1 MiB: kept as received, not looked into'
          : 'no known field; kept as received',
      );
    return { about: `${webhook.method} ${webhook.path}`, told: told.join(' · ') };
  }
  told.push(...describeAnswers(webhook));
  const about = webhook.clientReference ?? webhook.paymentUuid ?? webhook.path;
  return { about, told: told.join(' · ') };
}

/** Keeps right-to-left text, and marks that set a direction by force, from turning the sentence around it. */
export function isolate(text: string): string {
  const plain = showControls(text);
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(plain) ? `\u2066${plain}\u2069` : plain;
}

function describeAnswers(webhook: WebhookLine): string[] {
  if (webhook.answersOneOf !== undefined) return [`answers one of ${webhook.answersOneOf} payments`];
  if (!webhook.answers) return ['answers no known request'];
  const delay = webhook.receivedAt - webhook.answers.sentAt;
  const title = isolate(webhook.answers.title);
  if (delay < 0) return [title];
  return [delay < 3_600_000 ? `+${formatDuration(delay)}` : `${formatDuration(delay)} late`, title];
}

export function isGoodAnswer(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

/** The small mark beside the title. */
export function tagOf(webhook: WebhookLine): { text: string; tone: Tone } {
  if (webhook.status === null) return { text: 'unknown', tone: 'quiet' };
  const tones: Record<string, Tone> = { SUCCESS: 'good', FAILED: 'bad', CANCELED: 'quiet' };
  return { text: webhook.status, tone: tones[webhook.status.toUpperCase()] ?? 'quiet' };
}

/** '1st', '2nd', '3rd', '11th' … */
export function ordinal(value: number): string {
  const tens = value % 100;
  if (tens >= 11 && tens <= 13) return `${value}th`;
  return `${value}${['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'}`;
}

/** The rule in force, as it follows 'Answering'. */
export function describeRule(rule: { respondStatus: number; delayMs: number }): string {
  return rule.delayMs === 0
    ? `${rule.respondStatus} at once`
    : `${rule.respondStatus} after ${formatDuration(rule.delayMs)}`;
}

export interface Hex {
  offset: string;
  hex: string;
  text: string;
}

/** Sixteen bytes a line: offset, hex, and the printable ASCII of each. */
export function readHexLines(bodyBase64: string, maxLines: number): { lines: Hex[]; isCut: boolean } {
  const bytes = atob(bodyBase64);
  const lineCount = Math.ceil(bytes.length / 16);
  const lines = Array.from({ length: Math.min(lineCount, maxLines) }, (_, line) => {
    const part = bytes.slice(line * 16, line * 16 + 16);
    const codes = [...part].map((one) => one.charCodeAt(0));
    return {
      offset: (line * 16).toString(16).padStart(6, '0'),
      hex: codes.map((code) => code.toString(16).padStart(2, '0')).join(' '),
      text: codes.map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '·')).join(''),
    };
  });
  return { lines, isCut: lineCount > maxLines };
}
