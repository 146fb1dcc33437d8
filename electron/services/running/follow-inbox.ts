import type { EventBus } from '@shared/contract/events';
import { AppError } from '@shared/errors';
import { readJudged } from '@shared/expect/read-judged';
import { readOwner } from '../../listener/read-webhook';
import type { InboxService } from '../inbox/create-inbox-service';
import { LOCAL } from '../inbox/inbox-source';
import type { ArrivedWebhook, WebhookHub } from './webhook-hub';

type Reader = Pick<InboxService['handlers'], 'inbox.list' | 'inbox.get'>;

/** Another process may be the one that receives: nobody tells of it, so it is looked for. */
const lookEveryMs = 200;
const pageSize = 100;
const local = { store: LOCAL };

async function readArrived(inbox: Reader, id: string): Promise<ArrivedWebhook> {
  const webhook = await inbox['inbox.get']({ ...local, id, isWhole: true });
  const { tree, whyUnread } = webhook.isKeptCut
    ? {
        tree: null,
        whyUnread: `too long to be judged (${webhook.sizeBytes} bytes, of which the beginning is kept)`,
      }
    : readJudged(webhook.body);
  return {
    id,
    receivedAt: webhook.receivedAt,
    headers: webhook.headers,
    body: webhook.body,
    tree,
    whyUnread,
    ...readOwner(tree),
  };
}

/** Ids that came after one, the oldest first. */
async function listSince(inbox: Reader, last: string): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | null = null; ;) {
    const page: Awaited<ReturnType<Reader['inbox.list']>> = await inbox['inbox.list']({
      ...local,
      limit: pageSize,
      before,
      search: '',
      filter: 'all',
    });
    const fresh = page.webhooks.map(({ id }) => id).filter((id) => id > last);
    ids.push(...fresh);
    if (fresh.length < pageSize || page.nextBefore === null) return ids.reverse();
    before = page.nextBefore;
  }
}

/** Reads what the inbox has of a payment, the oldest first. */
async function findKept(inbox: Reader, reference: string): Promise<ArrivedWebhook[]> {
  const found = { ...local, limit: pageSize, before: null, search: reference, filter: 'all' } as const;
  const { webhooks } = await inbox['inbox.list'](found);
  // One that was deleted in between is not there.
  const read = await Promise.allSettled(webhooks.map(({ id }) => readArrived(inbox, id)));
  return read
    .flatMap((one) => (one.status === 'fulfilled' && one.value.reference === reference ? [one.value] : []))
    .reverse();
}

/**
 * Hands the webhooks that the inbox gets from now on to a run.
 *
 * @returns ends it
 */
export async function followInbox(inbox: Reader, events: EventBus, hub: WebhookHub): Promise<() => void> {
  const newest = await inbox['inbox.list']({ ...local, limit: 1, before: null, search: '', filter: 'all' });
  let last = newest.webhooks[0]?.id ?? '';
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      for (const id of await listSince(inbox, last)) {
        hub.receive(await readArrived(inbox, id));
        last = id;
      }
    } catch (error) {
      // A webhook that was deleted, an inbox that is being mended: the next look finds what is there then.
      if (!(error instanceof AppError)) throw error;
    } finally {
      isLooking = false;
    }
  };
  hub.findEarlier = (reference) => findKept(inbox, reference);
  const timer = setInterval(() => void look(), lookEveryMs);
  const forget = events.subscribe('inbox.received', () => void look());
  return () => {
    clearInterval(timer);
    forget();
  };
}
