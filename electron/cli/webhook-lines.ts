import { webhookTable } from '@shared/contract/webhook-columns';
import { toPlainJson, toPlainLine } from '@shared/plain-text';
import type { StoredWebhook } from '../listener/inbox-log';
import { formatSortableId } from '../platform/sortable-id';
import type { CommandContext } from './command';

/** Webhooks whose lines nobody has read yet wait in memory up to so much; of more their ids alone. */
const MOST_HELD_BYTES = 8 * 1024 * 1024;
/** What one takes beside its body. */
const HEAD_BYTES = 4096;
/** Once the command is told to end: a reader that takes nothing for so long is not waited for any more. */
const PATIENCE_MS = 1000;

/** Writes a line for each webhook that is kept, in their order, as fast as somebody reads them. */
export interface WebhookLines {
  add(webhook: StoredWebhook): void;
  /** Resolves when all were written, or when nobody reads them; says how many were not. To be called before what keeps them is closed. */
  finish(): Promise<void>;
}

type LineContext = Pick<CommandContext, 'isJson' | 'print' | 'printJson' | 'printEach' | 'isRead' | 'say'>;

const sizeOf = ({ body }: StoredWebhook): number => HEAD_BYTES + body.length;

function describeAsJson({ row, headers, body }: StoredWebhook): object {
  const bytes = Buffer.from(body).toString('base64');
  const id = formatSortableId(row.id);
  return { event: 'webhook', id, ...webhookTable.json(row), headers, body_base64: bytes };
}

function describe({ row, body }: StoredWebhook): string {
  const receivedAt = new Date(row.received_at).toISOString();
  return `${receivedAt}  ${row.method} ${toPlainLine(row.path)}  ${body.length} bytes  ${formatSortableId(row.id)}`;
}

const count = (webhooks: number): string => (webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`);

/**
 * Makes what writes the lines of `listen`. While stdout is not read they wait: a bounded part as they are, the rest as ids.
 *
 * @param readAgain - gives a webhook by its id, null where it was deleted; null where none can be had again: its line is left out
 */
export function createWebhookLines(
  context: LineContext,
  readAgain: ((id: number) => StoredWebhook | null) | null,
): WebhookLines {
  let waiting: (StoredWebhook | number)[] = [];
  let at = 0;
  let heldBytes = 0;
  let leftOut = 0;
  let deleted = 0;
  let writing: Promise<void> | null = null;

  const takeNext = (): StoredWebhook | null => {
    const next = waiting[at]!;
    at += 1;
    if (at > 1000) {
      waiting = waiting.slice(at);
      at = 0;
    }
    if (typeof next !== 'number') {
      heldBytes -= sizeOf(next);
      return next;
    }
    try {
      const webhook = readAgain === null ? null : readAgain(next);
      if (readAgain === null) leftOut += 1;
      else if (webhook === null) deleted += 1;
      return webhook;
    } catch {
      // The inbox is damaged, which is said elsewhere, or closed by now.
      leftOut += 1;
      return null;
    }
  };

  function* take(): Generator<string> {
    while (at < waiting.length) {
      const webhook = takeNext();
      if (webhook !== null) yield context.isJson ? toPlainJson(describeAsJson(webhook)) : describe(webhook);
    }
  }

  const forget = (): void => {
    leftOut += waiting.length - at;
    waiting = [];
    at = 0;
    heldBytes = 0;
    if (leftOut > 0)
      context.say(
        `${count(leftOut)} came faster than stdout was read, and without a line here. The inbox has what is kept of them.`,
      );
    if (deleted > 0) context.say(`${count(deleted)} left the inbox before their lines could be written.`);
    leftOut = 0;
    deleted = 0;
  };

  const write = async (): Promise<void> => {
    await context.printEach(take());
    writing = null;
    forget();
  };

  return {
    add(webhook) {
      if (writing === null && context.isRead()) {
        if (context.isJson) context.printJson(describeAsJson(webhook));
        else context.print(describe(webhook));
        return;
      }
      const isHeld = heldBytes + sizeOf(webhook) <= MOST_HELD_BYTES;
      if (isHeld) heldBytes += sizeOf(webhook);
      waiting.push(isHeld ? webhook : webhook.row.id);
      writing ??= write();
    },
    async finish() {
      for (let before = -1; writing !== null && before !== waiting.length - at;) {
        before = waiting.length - at;
        await Promise.race([writing, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
      }
      if (writing !== null) forget();
    },
  };
}
