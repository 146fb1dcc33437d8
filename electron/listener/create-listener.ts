import { dirname } from 'node:path';
import { createForwarding, type Forwarding, type ForwardingOptions } from './forwarding/create-forwarding';
import { openInbox, type Inbox, type InboxOptions } from './open-inbox';
import { serveAddresses, type WebhookAddresses } from './webhook-addresses';
import type { NotTaken } from './webhook-server';

/** Receives webhooks into one inbox, on as many addresses as are started. */
export interface Listener extends WebhookAddresses {
  readonly inbox: Inbox;
  readonly forwarding: Forwarding;
  /** Stops the addresses first; the inbox stays open until what they took is answered. */
  close(): Promise<void>;
}

export interface ListenerOptions extends Omit<InboxOptions, 'holds'> {
  onForward?: ForwardingOptions['onAttempt'];
  onForwarding?: ForwardingOptions['onChange'];
  /** Told of what an address was sent and does not keep. */
  onNotTaken?: (id: string, request: NotTaken) => void;
}

/**
 * Opens the inbox; webhooks are received on each address that is started: on the loopback interface, where no other is named.
 *
 * A webhook is answered only after its transaction is on disk; all that arrive in one turn of the event loop
 * share one transaction. What cannot be stored is answered 503, so that the sender tries again.
 * @throws {AppError} `platform.*` where the file cannot be used
 */
export function createListener(options: ListenerOptions): Listener {
  const inbox: Inbox = openInbox({
    ...options,
    holds: (id, webhook) => forwarding.hold(id, webhook),
    firstNeeded: () => forwarding.firstWaiting(),
    onCommit(batch) {
      forwarding.wake();
      options.onCommit?.(batch);
    },
  });
  const forwarding = createForwarding(options.file, {
    arrivals: inbox.arrivals,
    readKeys: inbox.readKeys,
    onAttempt: options.onForward,
    onChange(states) {
      inbox.postponeIndexing();
      options.onForwarding?.(states);
    },
    onRescued: options.onRescued,
    noteRelayed: inbox.noteRelayed,
    secretPaths: () => secretPaths(),
    ownPorts: () => ports(),
  });
  const folder = options.file === ':memory:' ? null : dirname(options.file);
  const { secretPaths, ports, stopAll, ...addresses } = serveAddresses(
    inbox.accept,
    folder,
    options.onNotTaken,
  );
  return {
    ...addresses,
    inbox,
    forwarding,
    async close() {
      const stopping = stopAll();
      // First: senders that wait for the backend are answered, or the addresses would not close.
      await forwarding.close();
      await stopping;
      inbox.close();
    },
  };
}
